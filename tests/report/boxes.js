// Returns what is wrong with the places of the texts on a page: beyond an edge, or on each other.
(printed) => {
  const wrong = [];
  const seen = (element) => element.checkVisibility({ checkOpacity: false, checkVisibilityCSS: true });
  const scrolls = (element) => !printed && element.closest(".wide, pre");
  const width = document.documentElement.clientWidth;
  const boxes = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.data.trim(), parent = node.parentElement;
    if (!text || parent.closest("script, style, title, desc, .skip, #tip") || !seen(parent)) continue;
    const svg = parent.closest("svg");
    if (svg) {
      const own = parent.getBoundingClientRect(), frame = svg.getBoundingClientRect();
      const slack = 1;
      if (own.left < frame.left - slack || own.right > frame.right + slack || own.top < frame.top - slack || own.bottom > frame.bottom + slack) {
        wrong.push(`beyond its figure ${svg.id}: ${text}`);
      }
      boxes.push([own, text, svg.id]);
      continue;
    }
    range.selectNodeContents(node);
    for (const own of range.getClientRects()) {
      if (own.width < 1 || own.height < 1) continue;
      if (!scrolls(parent) && (own.right > width + 1 || own.left < -1)) wrong.push(`beyond the page: ${text}`);
      if (!scrolls(parent)) boxes.push([own, text, ""]);
    }
  }
  boxes.sort(([a], [b]) => a.top - b.top);
  const tall = 2.5, broad = 2;
  for (let i = 0; i < boxes.length; i++) {
    const [a, first, figure] = boxes[i];
    for (let j = i + 1; j < boxes.length && boxes[j][0].top < a.bottom - tall; j++) {
      const [b, second, other] = boxes[j];
      const down = Math.min(a.bottom, b.bottom) - b.top, across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      // lines of text stand close: boxes may share a little of their height
      if (down > Math.max(tall, 0.3 * Math.min(a.height, b.height)) && across > broad) {
        wrong.push(`on each other: "${first}" and "${second}" ${figure || other}`);
      }
    }
  }
  if (document.documentElement.scrollWidth > width + 1) wrong.push(`the page scrolls sideways: ${document.documentElement.scrollWidth} > ${width}`);
  return wrong.slice(0, 20);
}
