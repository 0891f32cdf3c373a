// A host of MCP Apps, on the bridge of the official package: it embeds the card in a sandbox and records what the card asks for.
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';

const host = { links: [], calls: [], sizes: [], app: null, bridge: null };
globalThis.host = host;

globalThis.embedCard = async ({ address, hostContext, capabilities, opensLinks, toolAnswer }) => {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.title = 'The card';
  document.body.append(frame);
  const bridge = new AppBridge(null, { name: 'test-host', version: '1.0.0' }, capabilities, { hostContext });
  bridge.onopenlink = async ({ url }) => {
    host.links.push(url);
    return opensLinks ? {} : { isError: true };
  };
  bridge.oncalltool = async ({ name, arguments: args }) => {
    host.calls.push({ name, args });
    return toolAnswer;
  };
  bridge.onsizechange = ({ width, height }) => {
    host.sizes.push({ width, height });
    frame.style.height = `${height}px`;
  };
  const initialized = new Promise((resolve) => {
    bridge.oninitialized = resolve;
  });
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  frame.src = address;
  await initialized;
  host.bridge = bridge;
  host.app = { version: bridge.getAppVersion(), capabilities: bridge.getAppCapabilities() };
};
