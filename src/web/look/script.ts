/**
 * Keeps an open page current. Everything works without it. On a notification it fetches the page and replaces the parts
 * marked as live; folds, focus, typed text and the place on the screen of what is read are kept.
 */
import { createHash } from 'node:crypto';

export const SCRIPT = `'use strict';
(() => {
  const me = document.currentScript;
  const news = document.getElementById('news');
  let stale = null, saidAt = 0, due = null, asked = null, again = false, takenAt = Date.now();
  const apart = Number(me.dataset.apart) * 1000;
  const reached = 'a,button,summary,[tabindex]';
  const parse = (text) => new DOMParser().parseFromString(text, 'text/html');
  const live = (root) => [...root.querySelectorAll('[data-live]')];
  const keyOf = (fold) => fold.dataset.fold || (fold.closest('[id]') || {}).id + ' ' + fold.querySelector('summary').textContent.replace(/\\d+/g, '');
  const folds = (root) => [...root.querySelectorAll('details')];
  // Names a control by its target, so that the focus stays on it when others come or go before it.
  const nameOf = (each) => each.id || [each.tagName, (each.closest('[id]') || {}).id, each.tagName === 'SUMMARY' ? keyOf(each.parentNode) : each.getAttribute('href') || [each.form && each.form.getAttribute('action'), each.name, each.value]].join(' ');
  const alike = (root, name) => [...root.querySelectorAll(reached)].filter((each) => nameOf(each) === name);

  function swap(old, next) {
    const open = new Map(folds(old).map((fold) => [keyOf(fold), fold.open]));
    for (const fold of folds(next)) if (open.has(keyOf(fold))) fold.open = open.get(keyOf(fold));
    if (old.outerHTML === next.outerHTML) return;
    const focused = old.contains(document.activeElement) ? document.activeElement : null;
    if (focused && /^(INPUT|SELECT|TEXTAREA)$/.test(focused.tagName)) return;
    const before = new Map([...old.querySelectorAll('[id]')].map((each) => [each.id, each.textContent.replace(/\\d+ (s|min|h|d)\\b/g, '')]));
    const name = focused && nameOf(focused);
    const place = focused && alike(old, name).indexOf(focused);
    const taken = document.importNode(next, true);
    old.replaceWith(taken);
    for (const each of taken.querySelectorAll('[id]')) {
      const was = before.get(each.id);
      if (was !== undefined && was !== each.textContent.replace(/\\d+ (s|min|h|d)\\b/g, '') && each.matches('.card,li')) each.classList.add('fresh');
    }
    if (!focused) return;
    const again = alike(taken, name)[place];
    // The place in the order of the keyboard remains; no other control gets the focus.
    if (!again) taken.tabIndex = -1;
    (again || taken).focus({ preventScroll: true });
  }

  // A new part is inserted next to its neighbour.
  function bring(part) {
    const here = (other) => other && other.id && document.getElementById(other.id);
    const [above, below] = [here(part.previousElementSibling), here(part.nextElementSibling)];
    if (above) above.after(document.importNode(part, true));
    else if (below) below.before(document.importNode(part, true));
  }

  // The first part that begins on the screen, else the one that fills it; null at the top of the page.
  function readPart() {
    if (scrollY === 0) return null;
    const parts = [...document.querySelectorAll('main [data-live],main .card[id]')].map((each) => ({ id: each.id, box: each.getBoundingClientRect() }));
    return parts.find(({ box }) => box.top >= 0 && box.top < innerHeight && box.height > 0) || parts.findLast(({ box }) => box.top < 0 && box.bottom > 0) || null;
  }

  function take(text) {
    const next = parse(text);
    const parts = new Map(live(next).map((each) => [each.id, each]));
    if (parts.size === 0) return location.reload();
    if (document.title !== next.title) {
      document.title = next.title;
      due = due || setTimeout(say, Math.max(0, saidAt + 30000 - Date.now()));
    }
    const icon = next.querySelector('link[rel=icon]'), mine = document.querySelector('link[rel=icon]');
    if (icon && mine.href !== icon.href) mine.href = icon.href;
    const read = readPart();
    for (const each of live(document)) {
      if (parts.has(each.id)) swap(each, parts.get(each.id));
      else if (!each.contains(document.activeElement)) each.remove();
    }
    for (const each of parts.values()) if (!document.getElementById(each.id)) bring(each);
    const there = read && document.getElementById(read.id);
    if (there) scrollBy({ top: there.getBoundingClientRect().top - read.box.top, behavior: 'instant' });
    state(true);
  }

  // The last of several changes is spoken, too, at most every 30 seconds.
  function say() {
    due = null;
    saidAt = Date.now();
    news.textContent = document.title;
  }

  function state(isLive) {
    const shown = document.querySelector('.live');
    if (!shown) return;
    shown.classList.toggle('on', isLive);
    shown.classList.toggle('off', !isLive);
    const text = shown.querySelector('span');
    if (isLive) { stale = null; if (/^As/.test(text.textContent)) text.firstChild.data = 'Live at '; return; }
    stale = stale || new Date();
    text.textContent = 'Not live since ' + stale.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  }

  async function fetchAnew() {
    if (asked) { again = true; return; }
    asked = true;
    try {
      await new Promise((done) => setTimeout(done, Math.max(Math.random() * 300, takenAt + apart - Date.now())));
      takenAt = Date.now();
      const answer = await fetch(location.href, { headers: { accept: 'text/html' }, redirect: 'error' });
      if (answer.ok) take(await answer.text()); else state(false);
    } catch { state(false); }
    asked = null;
    if (again) { again = false; fetchAnew(); }
  }

  const isPlain = !location.search && /\\/$/.test(location.pathname);
  let pauseMs = 1000;
  // A browser comes back by itself to a stream that breaks off, but for good turns away from another answer, as a proxy gives.
  function listen() {
    const events = new EventSource(me.dataset.events + (isPlain ? '?page' : ''));
    events.addEventListener('page', (event) => take(JSON.parse(event.data)));
    events.addEventListener('changed', fetchAnew);
    events.onopen = () => { pauseMs = 1000; state(true); };
    events.onerror = () => {
      state(false);
      if (events.readyState !== EventSource.CLOSED) return;
      setTimeout(listen, pauseMs + Math.random() * 1000);
      pauseMs = Math.min(pauseMs * 2, 30000);
    };
  }
  listen();
})();
`;

/** End of its address: a changed script has another address, so that it may be cached for ever. */
export const SCRIPT_MARK = createHash('sha256').update(SCRIPT).digest('hex').slice(0, 12);
