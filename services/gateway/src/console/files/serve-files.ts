import { fail } from '../../errors'
import { assetsPath } from './build'
import { type BuiltFile, codingFor } from './built-file'
import type { CurrentBuild } from './current-build'

/**
 * The Content Security Policy of the console's page: only resources of this gateway. Its scripts cannot create HTML
 * from text (Trusted Types), and other sites can neither frame it nor keep a handle to it.
 */
const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

const aYear = 'public, max-age=31536000, immutable'

/**
 * Answers `/console` and paths below it with the page, which chooses its view by the path, or with the log-in page if
 * the browser `mustLogIn`; and `/console/assets/…` with the build's files. Fails: 404 for an unknown file, 405.
 */
export async function serveFiles(
  current: CurrentBuild,
  request: Request,
  path: string,
  mustLogIn: () => Promise<boolean>,
): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw fail('METHOD_NOT_ALLOWED', { headers: { allow: 'GET, HEAD' } })
  }
  const build = await current()
  if (!build) return cannotBeBuilt()
  if (!`${path}/`.startsWith(assetsPath)) {
    const page = (build.logIn && (await mustLogIn()) ? build.logIn : null) ?? build.page
    return await answerWith(page, request, { ...pageHeaders, ...revalidated })
  }
  const file = build.assets.get(path.slice(assetsPath.length))
  if (!file) throw fail('NOT_FOUND')
  return await answerWith(file, request, { ...pageHeaders, 'cache-control': aYear })
}

const revalidated = { 'cache-control': 'no-cache' }

async function answerWith(file: BuiltFile, request: Request, headers: Record<string, string>): Promise<Response> {
  const coding = codingFor(request.headers.get('accept-encoding'))
  const etag = file.etag(coding)
  const all = { ...headers, etag, vary: 'accept-encoding' }
  if (isKnown(etag, request.headers.get('if-none-match'))) return new Response(null, { status: 304, headers: all })
  const encoded = coding === 'identity' ? {} : { 'content-encoding': coding }
  const body = await file.body(coding)
  return new Response(request.method === 'HEAD' ? null : body, {
    headers: { ...all, ...encoded, 'content-type': file.contentType, 'content-length': String(body.byteLength) },
  })
}

const isKnown = (etag: string, known: string | null): boolean =>
  known?.split(',').some((entry) => entry.trim().replace(/^W\//, '') === etag || entry.trim() === '*') ?? false

const unbuilt = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Bursar: the console is not available</title>
<link rel="icon" href="data:,">
</head>
<body>
<h1>The console is not available</h1>
<p>It could not be built when the gateway started; the gateway's log says why. The API works as usual.</p>
</body>
</html>
`

const cannotBeBuilt = (): Response =>
  new Response(unbuilt, {
    status: 503,
    headers: { ...pageHeaders, 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8' },
  })
