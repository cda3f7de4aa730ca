import { fileURLToPath } from 'node:url'
import { version } from 'swagger-ui-dist/package.json'

/** A file that the page loads. */
export interface Asset {
  contentType: string
  body: () => string | Blob
}

/** A file of Swagger UI. */
export const fromSwaggerUi = (file: string, contentType: string): Asset => ({
  contentType,
  body: () => Bun.file(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${file}`))),
})

/** The licence is left out: the page would link it to a public list that does not contain it. */
const startScript = `SwaggerUIBundle({
  url: 'swagger/json',
  dom_id: '#page',
  deepLinking: true,
  displayRequestDuration: true,
  validatorUrl: null,
  plugins: [() => ({ components: { License: () => null } })],
})
`

/** Every file that is served below /swagger/, by its name. */
export const assets: Readonly<Record<string, Asset>> = {
  'swagger-ui.css': fromSwaggerUi('swagger-ui.css', 'text/css; charset=utf-8'),
  'swagger-ui-bundle.js': fromSwaggerUi('swagger-ui-bundle.js', 'text/javascript; charset=utf-8'),
  'favicon-32x32.png': fromSwaggerUi('favicon-32x32.png', 'image/png'),
  'start.js': { contentType: 'text/javascript; charset=utf-8', body: () => startScript },
}

/** The page's URLs contain the version, so that a browser may cache the files. */
const href = (file: string): string => `swagger/${file}?${version}`

/** `log-tracker` → `Bursar log tracker service` */
export const titleOf = (service: string): string => `Bursar ${service.replaceAll('-', ' ')} service`

/** The page. Its URLs are relative: it works behind any prefix. */
export const docsPage = (service: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${titleOf(service)}: API</title>
<link rel="icon" type="image/png" href="${href('favicon-32x32.png')}">
<link rel="stylesheet" href="${href('swagger-ui.css')}">
</head>
<body>
<div id="page"></div>
<script src="${href('swagger-ui-bundle.js')}"></script>
<script src="${href('start.js')}"></script>
</body>
</html>
`

/** The Content Security Policy of the page: only files of this service, and requests to it. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
