import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from './layout.ts';

test('whatever is put into a page is escaped, and what the page says itself is not', () => {
  const odd = `<script>alert("1" + '2' & \`3\`)</script>`;
  assert.equal(html`<p title="${odd}">${odd}</p>`.toString(), `<p title="${escapedOdd}">${escapedOdd}</p>`);
  assert.equal(
    html`<ul>${[html`<li>a</li>`, html`<li>${'<'}</li>`]}</ul>`.toString(),
    '<ul><li>a</li><li>&#60;</li></ul>',
  );
  assert.equal(html`${null}${undefined}${false}${0}${''}`.toString(), '0');
});

const escapedOdd = '&#60;script&#62;alert(&#34;1&#34; + &#39;2&#39; &#38; &#96;3&#96;)&#60;/script&#62;';
