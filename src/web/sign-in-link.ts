/** Who looks at a page, and the ways in and out. */
import { html } from 'hono/html';
import type { Fragment } from './icons.ts';

/** Who looks, and what he may do. */
export interface Viewer {
  /** Null for whoever is at this machine and has not said who he is. */
  name: string | null;
  /** He has a session that he can end. */
  isSignedIn: boolean;
  /** Why he cannot change anything from here; null where he can. */
  whyNotChange: string | null;
  /** He has not said who he is, and there are users: he can sign in. */
  maySignIn: boolean;
}

/** `path` is where signing in leads back to; a wall asks nobody. */
export function signInOrOut(
  root: string,
  path: string,
  { name, isSignedIn, maySignIn }: Viewer,
  isWall: boolean,
): Fragment | null {
  if (isSignedIn) return html`<form method="post" action="${root}sign-out"><button>Sign out ${name}</button></form>`;
  return maySignIn && !isWall ? html`<a class="button" href="${signInLink(root, path)}">Sign in</a>` : null;
}

/** `path` is that of a page of ours, below the top. */
export function signInLink(root: string, path: string): string {
  return `${root}sign-in?${new URLSearchParams({ to: path }).toString()}`;
}
