// Mouse, pen and touch on a canvas, told as what they mean: hover, click, drag, pan, and zoom around a spot.
//
// A drag with the main button marks; with another button, with the space bar or with a finger it pans. Two fingers zoom.
// Spots are {x, y} in pixels of the canvas.

export function listen(canvas, does) {
  const down = new Map(); // pointers that are down, and where they are
  let start = null, moved = false, space = false;

  const spot = (e) => {
    const box = canvas.getBoundingClientRect();
    return { x: e.clientX - box.left, y: e.clientY - box.top };
  };
  const pans = (e) => space || e.buttons & 6 || e.pointerType === "touch" && !does.marks();
  const pinch = () => {
    const [a, b] = [...down.values()];
    return { x: (a.x + b.x) / 2, apart: Math.max(Math.abs(a.x - b.x), 20) };
  };

  canvas.addEventListener("pointerdown", (e) => {
    canvas.focus({ preventScroll: true });
    canvas.setPointerCapture(e.pointerId);
    down.set(e.pointerId, spot(e));
    start = spot(e);
    moved = down.size > 1;
    if (e.button === 1) e.preventDefault(); // no scrolling by the middle button
  });

  canvas.addEventListener("pointermove", (e) => {
    const now = spot(e), before = down.get(e.pointerId);
    if (!before) return does.hover(now);
    if (down.size > 1) {
      const was = pinch();
      down.set(e.pointerId, now);
      const is = pinch();
      does.pan(is.x - was.x);
      does.zoom(is.x, was.apart / is.apart);
      return;
    }
    moved ||= Math.hypot(now.x - start.x, now.y - start.y) > 4;
    if (!moved) return;
    down.set(e.pointerId, now);
    if (pans(e)) does.pan(now.x - before.x);
    else does.drag(start, now);
  });

  canvas.addEventListener("pointerup", (e) => {
    const now = spot(e), single = down.size === 1;
    down.delete(e.pointerId);
    if (moved && single) does.drop();
    else if (single && e.button === 0) does.click(now);
  });
  canvas.addEventListener("pointercancel", (e) => { down.delete(e.pointerId); does.drop(); });
  canvas.addEventListener("pointerleave", () => does.leave());
  canvas.addEventListener("contextmenu", (e) => e.preventDefault());
  canvas.addEventListener("dblclick", () => does.whole());

  canvas.addEventListener("wheel", (e) => {
    const unit = e.deltaMode ? 30 : 1;
    const along = (e.shiftKey ? e.deltaX || e.deltaY : e.deltaX) * unit;
    const taken = e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY) ? does.pan(-along) : does.zoom(spot(e).x, 1.0015 ** (e.deltaY * unit));
    if (taken) e.preventDefault(); // what cannot be zoomed out further scrolls the page
  }, { passive: false });

  addEventListener("keydown", (e) => {
    if (e.key !== " " || e.target !== canvas) return;
    space = true;
    e.preventDefault();
  });
  addEventListener("keyup", (e) => { if (e.key === " ") space = false; });
}
