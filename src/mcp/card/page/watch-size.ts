/** Tells the host how much room the content takes, once for each frame in which that changed. Returns how to stop. */
export function watchSize(report: (size: { width: number; height: number }) => void): () => void {
  let last = '';
  let isWaiting = false;
  const measure = () => {
    isWaiting = false;
    const size = {
      width: Math.ceil(window.innerWidth),
      height: Math.ceil(document.documentElement.getBoundingClientRect().height),
    };
    if (JSON.stringify(size) === last) return;
    last = JSON.stringify(size);
    report(size);
  };
  const observer = new ResizeObserver(() => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(measure);
  });
  observer.observe(document.documentElement);
  return () => observer.disconnect();
}
