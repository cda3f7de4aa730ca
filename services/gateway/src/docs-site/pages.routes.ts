import { type ServiceName, services } from '@bursar/contracts/services'
import { type Asset, docsAssets, fromSwaggerUi, pagePolicy, service, titleOf } from '@bursar/http'
import { Elysia } from 'elysia'
import { auditRoutes } from '../audit-trail/audit.routes'
import { sessionRoutes } from '../console/session.routes'
import { singleSignOnRoutes } from '../console/single-sign-on.routes'
import type { GatewayDeps } from '../deps'
import { deskRoutes } from '../desk/desk.routes'
import { reviewNoteRoutes } from '../desk/review-notes.routes'
import { fail } from '../errors'
import { institutionAddressRoutes } from '../institution-addresses/institution-addresses.routes'
import { metadataRoutes } from '../oauth/metadata.routes'
import { commandActRoutes } from '../operations/command-acts.routes'
import { metricsRoutes } from '../operations/metrics.routes'
import { operationsRoutes } from '../operations/operations.routes'
import { recordOwnerRoutes } from '../record-owners/record-owners.routes'
import { searchRoutes } from '../search/search.routes'
import { docsPage, docsScript } from './docs-page'
import { createDocuments } from './documents'
import { homePage, homeScript, homeStyle } from './home-page'
import { createMerging, wholeTitle } from './merge-documents'
import { type PasswordPage, passwordPage, passwordPageHeaders } from './password-page'
import { behind, createHealthOverview } from './service-health'

const html = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': pagePolicy }
const json = { 'content-type': 'application/json' }
const hidden = { detail: { hide: true } }

const files: Readonly<Record<string, Asset>> = {
  ...Object.fromEntries(Object.entries(docsAssets).map(([file, asset]) => [`docs/${file}`, asset])),
  'docs/swagger-ui-standalone-preset.js': fromSwaggerUi(
    'swagger-ui-standalone-preset.js',
    'text/javascript; charset=utf-8',
  ),
  'docs/start.js': { contentType: 'text/javascript; charset=utf-8', body: () => docsScript },
  'home.js': { contentType: 'text/javascript; charset=utf-8', body: () => homeScript },
  'home.css': { contentType: 'text/css; charset=utf-8', body: () => homeStyle },
}

/** The gateway's own pages: the overview at `/`, the viewer at `/docs`, and the documents that it shows. */
export function createPages(deps: GatewayDeps) {
  return service({
    ...deps,
    name: 'gateway',
    description: 'The entry point of the platform: it authenticates, limits and routes.',
    shape: 'object',
    // The proxy controls access to services; these pages are public.
    internalAuth: 'optional',
    speaksToBrowsers: true,
  })
    .use(sessionRoutes(deps))
    .use(singleSignOnRoutes(deps))
    .use(auditRoutes(deps))
    .use(operationsRoutes(deps))
    .use(metricsRoutes(deps))
    .use(commandActRoutes(deps))
    .use(searchRoutes(deps))
    .use(recordOwnerRoutes(deps))
    .use(deskRoutes(deps))
    .use(reviewNoteRoutes(deps))
    .use(institutionAddressRoutes(deps))
    .use(metadataRoutes(deps))
    .use(pageRoutes(deps))
    .use(passwordRoutes())
    .use(documentRoutes(deps))
    .use(fileRoutes())
}

function pageRoutes({ instancesOf, version, now }: GatewayDeps) {
  const health = createHealthOverview(instancesOf, () => now().getTime())
  return new Elysia(hidden)
    .get('/', async ({ set }) => {
      Object.assign(set.headers, html)
      return homePage(await health(), { version, at: now() })
    })
    .get('/docs', ({ set }) => {
      Object.assign(set.headers, html)
      return docsPage
    })
}

/** Mails of the identity manager link to these. */
function passwordRoutes() {
  const routes = new Elysia(hidden)
  for (const page of ['change-password', 'reset-password'] satisfies PasswordPage[]) {
    routes.get(`/${page}`, ({ set }) => {
      Object.assign(set.headers, passwordPageHeaders)
      return passwordPage(page)
    })
  }
  return routes
}

function documentRoutes({ client, config, version, now }: GatewayDeps) {
  const documents = createDocuments(client, () => now().getTime())
  const merged = createMerging({ version, roles: config.authorization === 'roles' })
  const bySlug = new Map<string, ServiceName>(behind.map((name) => [`${services[name].slug}.json`, name]))
  return new Elysia(hidden)
    .get('/openapi.json', async ({ set }) => {
      const text = merged(await documents.all(), wholeTitle)
      Object.assign(set.headers, json)
      return text
    })
    .get('/docs/:file', async ({ params, set }) => {
      const name = bySlug.get(params.file)
      if (!name) throw fail('NOT_FOUND')
      const document = await documents.of(name)
      if (!document) throw fail('SERVICE_UNAVAILABLE', { message: `The ${name} service cannot be reached right now` })
      Object.assign(set.headers, json)
      return merged([{ name, document }], titleOf(name))
    })
}

function fileRoutes() {
  const routes = new Elysia(hidden)
  for (const [file, { contentType, body }] of Object.entries(files)) {
    routes.get(`/${file}`, ({ set }) => {
      set.headers['content-type'] = contentType
      set.headers['cache-control'] = 'public, max-age=3600'
      return body()
    })
  }
  return routes
}
