/** Longer than the head of any answer. */
const MAX_HEAD_BYTES = 2048;
const END_OF_HEAD = '\r\n\r\n';
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;
const OK = /^HTTP\/1\.1 200 /;

/** Takes what a connection receives and tells when an answer is complete, and whether its status is 200. */
export function createResponseReader(
  answered: (isOk: boolean) => void,
): (received: Buffer, length: number) => void {
  let head = '';
  let bodyLeft = 0;
  let isOk = false;

  return (received, length) => {
    let at = 0;
    while (at < length) {
      if (bodyLeft === 0) {
        const text = head + received.toString('latin1', at, Math.min(length, at + MAX_HEAD_BYTES));
        const end = text.indexOf(END_OF_HEAD);
        if (end === -1) {
          // Its end comes with the next chunk.
          head = text;
          return;
        }
        at += end + END_OF_HEAD.length - head.length;
        const whole = text.slice(0, end);
        head = '';
        isOk = OK.test(whole);
        bodyLeft = Number(CONTENT_LENGTH.exec(whole)?.[1] ?? 0);
      }
      const taken = Math.min(bodyLeft, length - at);
      bodyLeft -= taken;
      at += taken;
      if (bodyLeft === 0) answered(isOk);
    }
  };
}
