import { sha256 } from '@bursar/http'
import { passwordScript, passwordStyle } from './password-page-files'

/** The pages of mail links: both set a password with the token after the `#`. */
export type PasswordPage = 'change-password' | 'reset-password'

const titles: Readonly<Record<PasswordPage, string>> = {
  'change-password': 'Set your password',
  'reset-password': 'Set a new password',
}

const hashOf = (text: string): string => `'sha256-${sha256(text, 'base64')}'`

/**
 * A password is typed here: no other file is loaded, only its own script runs, and the page connects only to this
 * server. It sends no referrer.
 */
export const passwordPageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    `script-src ${hashOf(passwordScript)}`,
    `style-src ${hashOf(passwordStyle)}`,
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
}

/** The page that a mail's link opens. The token is not in its request: browsers do not send what follows the `#`. */
export const passwordPage = (page: PasswordPage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Bursar: ${titles[page]}</title>
<link rel="icon" href="data:,">
<style>${passwordStyle}</style>
</head>
<body>
<main>
<h1>${titles[page]}</h1>
<noscript><p>This page needs JavaScript. The mail says how programs set a password without it.</p></noscript>
<p id="message" role="alert"></p>
<form id="form" data-action="${page}" method="post" hidden>
<label id="current" hidden>Your password so far <input name="currentPassword" type="password" autocomplete="current-password"></label>
<label>New password <input name="password" type="password" autocomplete="new-password" required minlength="12" maxlength="128" aria-describedby="rule"></label>
<p id="rule">12 to 128 characters, and none of the commonest passwords.</p>
<label>The same again <input name="again" type="password" autocomplete="new-password" required></label>
<button>Set password</button>
</form>
<section id="done" hidden>
<p>The password is set, and older sessions of yours have ended. Log in with your e-mail address and this password:
<a href="console">open the console</a>.</p>
<p>Programs log in by <code>POST /identity/v1/auth/login</code>: <a href="docs?service=identity">the API</a>.</p>
</section>
</main>
<script>${passwordScript}</script>
</body>
</html>
`
