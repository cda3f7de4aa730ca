import { Elysia } from 'elysia'
import { assets, docsPage, pagePolicy } from './docs-page'
import type { Documented } from './openapi'
import type { Route } from './openapi-operation'

const aYear = 'public, max-age=31536000, immutable'
const hidden = { detail: { hide: true } }

/**
 * GET /swagger/json: the service's OpenAPI document, built at the first request and kept as text. GET /swagger: a page
 * to read it and to try the routes; all its files come from the service. GET / redirects there.
 */
export function docs(service: Documented & { speaksToBrowsers?: boolean }, app: () => { routes: readonly Route[] }) {
  let document: Promise<string> | undefined
  const plugin = new Elysia()
    .get(
      '/swagger/json',
      async ({ set }) => {
        document ??= documentText(service, app().routes)
        set.headers['content-type'] = 'application/json; charset=utf-8'
        return await document
      },
      hidden,
    )
    .get(
      '/swagger',
      ({ set, request, redirect }) => {
        // The page's URLs are relative to /swagger, and wrong one level below it.
        if (/\/swagger\/(\?|$)/.test(request.url)) return redirect('../swagger', 301)
        set.headers['content-type'] = 'text/html; charset=utf-8'
        set.headers['content-security-policy'] = pagePolicy
        return docsPage(service.name)
      },
      hidden,
    )
  // For a person who opens the service in a browser; the gateway has a page of its own.
  if (!service.speaksToBrowsers) plugin.get('/', ({ redirect }) => redirect('swagger', 302), hidden)
  for (const [file, { contentType, body }] of Object.entries(assets)) {
    plugin.get(
      `/swagger/${file}`,
      ({ set }) => {
        set.headers['content-type'] = contentType
        set.headers['cache-control'] = aYear
        return body()
      },
      hidden,
    )
  }
  return plugin
}

/** The code that builds the document is loaded on demand. */
async function documentText(service: Documented, routes: readonly Route[]): Promise<string> {
  const { openApiDocument } = await import('./openapi')
  return JSON.stringify(openApiDocument(service, routes))
}
