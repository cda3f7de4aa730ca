// Names that every object inherits, in every parameter and field of what the gateway answers itself: its pages and the
// console's own requests, which no OpenAPI document shows.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { tempDir } from '@bursar/testing'
import { brokenByInheritedNames, testService } from '@bursar/testing/service'
import { config } from '../src/config'
import { createPages } from '../src/docs-site/pages.routes'
import { definition } from '../src/service'
import { openConsole, ownPage, type TestConsole } from './console-harness'
import { requestsOf } from './harness'

interface Schema {
  type?: string
  properties?: Record<string, Schema>
}
interface Route {
  method: string
  path: string
  hooks?: { query?: Schema; params?: Schema; body?: Schema }
}

/** Of every service, and asked in the tests of the others. */
const isCommon = /^\/(swagger|health|metrics|ready|live|internal\/operations)/

/** The routes of the gateway's own app. */
async function ownRoutes(): Promise<Route[]> {
  const dataDir = tempDir()
  const made = definition(config({ DATA_DIR: dataDir, REDIS_URL: 'redis://127.0.0.1:1' }))
  let routes: Route[] = []
  const app: typeof made.app = (deps) => {
    const pages = createPages(deps)
    routes = pages.routes as unknown as Route[]
    return pages
  }
  const service = await testService({ name: 'gateway', dataDir, definition: { ...made, app } })
  await service.deps.sharedBuckets.close()
  await service.close()
  return routes.filter(({ path }) => !isCommon.test(path))
}

/** As an OpenAPI document has them. */
function pathsOf(routes: readonly Route[]) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { method, path, hooks = {} } of routes) {
    const shown = path.replace(/(.)\/$/, '$1').replaceAll(/:(\w+)/g, '{$1}')
    const inPath = [...shown.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path' }))
    const inQuery = Object.keys(hooks.query?.properties ?? {}).map((name) => ({ name, in: 'query' }))
    const schema = { examples: [exampleOf(hooks.body)] }
    const requestBody = hooks.body ? { content: { 'application/json': { schema } } } : undefined
    paths[shown] ??= {}
    paths[shown][method.toLowerCase()] = { parameters: [...inPath, ...inQuery], requestBody }
  }
  return paths
}

function exampleOf({ type, properties = {} }: Schema = {}): unknown {
  if (type === 'object') return Object.fromEntries(Object.entries(properties).map(([key, of]) => [key, exampleOf(of)]))
  return type === 'boolean' ? true : 'example'
}

let console: TestConsole
beforeAll(async () => {
  console = await openConsole()
})
afterAll(() => console?.close())

test('names of inherited properties are input like any other', async () => {
  const routes = await ownRoutes()
  expect(routes.map(({ path }) => path)).toContain('/console/api/services/:name/dead-letters/:id/retry')
  const requests = requestsOf(console.url)
  const get: typeof requests.get = async (path) => {
    const answer = await requests.get(path)
    return { ...answer, body: { paths: pathsOf(routes) } as never }
  }
  let cookie = await console.logIn()
  const ask: typeof requests.ask = async (method, path, body, headers) => {
    const answer = await requests.ask(method, path, body, { ...headers, cookie })
    if (method === 'DELETE' && answer.status === 200) cookie = await console.logIn()
    return answer
  }
  expect(await brokenByInheritedNames({ ask, get }, ownPage)).toEqual([])
})
