// What the page remembers: in this browser, and in the part of a URL that no server sees.

const KEY = 'orrery playground';

export function remember(state) {
  try {
    localStorage.setItem(KEY, JSON.stringify(state));
  } catch (problem) {
    // a browser that keeps nothing: the page works without
  }
}

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(KEY));
  } catch (problem) {
    return null;
  }
}

async function through(bytes, stream) {
  const piped = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

// The URL of this page with the state in it.
export async function link(state) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(state)),
    new CompressionStream('deflate-raw'));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  const url = new URL(location.href);
  url.hash = 's=' + text.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
  return url.href;
}

async function linked() {
  const text = /^#s=([\w-]+)$/.exec(location.hash);
  if (!text) { return null; }
  try {
    const letters = atob(text[1].replace(/-/g, '+').replace(/_/g, '/'));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const found = await through(bytes, new DecompressionStream('deflate-raw'));
    return JSON.parse(new TextDecoder().decode(found));
  } catch (problem) {
    return null;
  }
}

// What to begin with: that of the URL, or that of the last visit.
export async function begin() {
  const shared = await linked();
  if (shared) {
    history.replaceState(null, '', location.pathname + location.search);
    return shared;
  }
  return remembered() || {};
}
