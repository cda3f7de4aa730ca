import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type ServiceName, services } from '@bursar/contracts/services'
import type { RunningService } from '@bursar/http'
import { type TestRedis, tempDir, testRedis } from '@bursar/testing'
import { lintOpenApi } from '@bursar/testing/lint-openapi'
import { operationIdsOf, ownRules } from '@bursar/testing/openapi-rules'
import { builtServices, startBuilt } from '@bursar/testing/platform'

interface Operation {
  operationId: string
  summary?: string
  description?: string
  tags: string[]
  responses: Record<string, { $ref?: string; description?: string; content?: Record<string, { schema?: object }> }>
}

interface OpenApi {
  openapi: string
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { responses: Operation['responses'] }
}

const built = builtServices()
/** Which service has an operation of this id. */
const owners = new Map<string, ServiceName>()

let redis: TestRedis
beforeAll(async () => {
  redis = await testRedis()
})
afterAll(() => redis?.stop())

/** The service on any free port, with an empty database and nothing on standard output. */
const startAlone = async (name: ServiceName): Promise<RunningService> =>
  await startBuilt(name, {
    DATA_DIR: tempDir(),
    REDIS_URL: redis.url,
    LOG_LEVEL: 'silent',
    // No other service runs: none waits for one at its stop.
    RESTART_WAIT_MS: '0',
    [`${services[name].slug.toUpperCase()}_PORT`]: '0',
  })

const operationsOf = (document: OpenApi): (Operation & { name: string })[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, ...operation })),
  )

test('there are services to look at', () => {
  expect(built.length).toBeGreaterThan(0)
})

describe.each(built)('the documentation of the service %s', (name) => {
  let running: RunningService
  let text: string
  let document: OpenApi

  beforeAll(async () => {
    running = await startAlone(name)
    const response = await fetch(`${running.url}/v1/swagger/json`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    text = await response.text()
    document = JSON.parse(text)
  })
  afterAll(() => running?.stop())

  test('passes Spectral and Redocly', async () => {
    const findings = await lintOpenApi(text)
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
  })

  test('describes every field, names every resource, and has an example of every body', () => {
    expect(ownRules(JSON.parse(text))).toEqual([])
  })

  test('has no operation of a name that another service has', () => {
    for (const id of operationIdsOf(JSON.parse(text))) {
      const owner = owners.get(id)
      expect([id, owner ?? name]).toEqual([id, name])
      owners.set(id, name)
    }
    expect(new Set(operationIdsOf(JSON.parse(text))).size).toBe(operationIdsOf(JSON.parse(text)).length)
  })

  test('is the same without the version in front', async () => {
    expect(await (await fetch(`${running.url}/swagger/json`)).text()).toBe(text)
  })

  test('names no route that is for services and operators alone, nor a header between services', () => {
    const closed = Object.keys(JSON.parse(text).paths).filter((path) => /\/(internal|metrics|swagger)\b/.test(path))
    expect([closed, text.includes('/internal'), /x-identity/i.test(text)]).toEqual([[], false, false])
  })

  test('says of every operation what it does and where it belongs', () => {
    const known = document.tags.map((tag) => tag.name)
    const incomplete = operationsOf(document).filter(
      ({ summary, description, tags }) =>
        !summary || !description || tags.length === 0 || !tags.every((tag) => known.includes(tag)),
    )
    expect(incomplete.map((operation) => operation.name)).toEqual([])
  })

  test('has the schema of every answer, of success and of failure', () => {
    const missing: string[] = []
    for (const operation of operationsOf(document)) {
      const statuses = Object.keys(operation.responses)
      if (!statuses.some((status) => status < '400')) missing.push(`${operation.name} success`)
      if (!statuses.includes('500')) missing.push(`${operation.name} 500`)
      for (const [status, { $ref, ...response }] of Object.entries(operation.responses)) {
        const { content } = $ref ? (document.components.responses[$ref.split('/').at(-1) ?? ''] ?? {}) : response
        const [media] = Object.values(content ?? {})
        if (!media?.schema && status !== '204' && status !== '101') missing.push(`${operation.name} ${status}`)
      }
    }
    expect(missing).toEqual([])
  })

  test('has a page whose every file loads from the service itself', async () => {
    const page = await fetch(`${running.url}/v1/swagger`)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const html = await page.text()
    const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => new URL(file ?? '', page.url))
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) {
      const response = await fetch(file)
      expect([file.origin, response.status, (await response.bytes()).length > 0]).toEqual([running.url, 200, true])
    }
  })
})
