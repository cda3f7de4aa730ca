// Every example of the OpenAPI documents, sent to the platform as it runs, after `bun run seed` has filled it.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { exampleApiKey, exampleIds } from '@bursar/contracts/examples'
import type { ServiceName } from '@bursar/contracts/services'
import { inOrder } from '@bursar/testing'
import { builtServices, type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { type SeededIds, seed, withSeededIds } from '../../scripts/seed/seed'

interface Parameter {
  name: string
  in: string
  required: boolean
  example?: unknown
}
interface Operation {
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }> }
  responses: Record<string, { content?: object }>
  'x-needs-secret'?: boolean
}

const built = builtServices()
let platform: TestPlatform
let ids: SeededIds
const lines: string[] = []

const fill = () => {
  const urls = Object.fromEntries(built.map((name) => [name, platform.url(name)]))
  return seed({ urls: urls as Record<ServiceName, string>, say: (line) => lines.push(line) })
}

beforeAll(async () => {
  platform = await testPlatform(built)
  ids = await fill()
})
afterAll(() => platform.close())

test('docs/api.md says what each id of the examples stands for', async () => {
  const text = await Bun.file(join(import.meta.dir, '../../docs/api.md')).text()
  expect(Object.values(exampleIds).filter((id) => !text.includes(`| \`${id}\` |`))).toEqual([])
  expect(text).toContain(exampleApiKey)
  expect(Object.keys(ids).sort()).toEqual(Object.keys(exampleIds).sort())
})

/** What the services hold, as their lists show it. */
async function everything(): Promise<unknown[]> {
  const lists: [ServiceName, string][] = [
    ['quote', '/assets?limit=100'],
    ['quote', '/providers?limit=100'],
    ['core-ledger', '/assets'],
    ['core-ledger', '/transactions'],
    ['customer', '/customers'],
    ['account', '/accounts'],
    ['participant', '/participants?limit=100'],
    ['message', '/messages'],
    ['webhook', '/webhooks/endpoints'],
    ['identity-manager', '/users?limit=100'],
    ['main-api', '/admin/pfi?limit=100'],
    ['main-api', '/admin/custodian-bank?limit=100'],
    ['transaction-manager', '/transactions?limit=100'],
    ['notification', '/events?limit=100'],
  ]
  return await Promise.all(lists.map(async ([name, path]) => (await platform.to(name).get(path)).body))
}

// An example works once, so the seed is run again before.
inOrder('the seed and the examples', (step) => {
  step('the seed, run again, finds everything there', async () => {
    expect(lines.some((line) => line.startsWith('created'))).toBe(true)
    await platform.settle()
    const before = await everything()
    lines.length = 0
    expect(await fill()).toEqual(ids)
    expect(lines.filter((line) => !line.startsWith('is there'))).toEqual([])
    await platform.settle()
    expect(await everything()).toEqual(before)
  })
  for (const name of built) step(`the examples of the service ${name} are answered with 2xx`, () => sendExamples(name))
})

/**
 * The participant of the examples has a key that the main API did not issue, and its invitation was not refused; its
 * chain has taken no deposit back.
 */
const ofOtherStates = [
  'get /participants/api-key',
  'get /participants/{id}/api-key',
  'post /admin/pfi/{id}/invitation',
  'post /transactions/{id}/cover',
  'post /balances/account/{accountId}/movements/cover',
]

async function sendExamples(name: ServiceName): Promise<void> {
  const document = await (await fetch(`${platform.url(name)}/swagger/json`)).text()
  const { paths } = JSON.parse(withSeededIds(document, ids))
  const refused: string[] = []
  let sent = 0
  for (const [path, methods] of Object.entries<Record<string, Operation>>(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (ofOtherStates.includes(`${method} ${path}`)) continue
      for (const request of requestsOf(method, path, operation)) {
        const { status, body } = await platform
          .to(name)
          .ask(method.toUpperCase(), request.path, request.body, request.headers)
        sent++
        if (status >= 300) refused.push(`${method} ${path}: ${status} ${JSON.stringify(body)}`)
      }
    }
  }
  expect(refused).toEqual([])
  expect(sent).toBeGreaterThan(0)
}

/**
 * A request for each example; for a read without an example in its path, for what would not end, and for what needs a
 * secret of its caller, none.
 */
function requestsOf(method: string, path: string, { parameters = [], requestBody, responses, ...rest }: Operation) {
  if (rest['x-needs-secret']) return []
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const isRead = method === 'get' && inPath.some(({ example }) => example === undefined)
  const isStream = 'text/event-stream' in (responses[200]?.content ?? {})
  if (isRead || isStream || method === 'delete') return []
  const filled = inPath.reduce(
    (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(`${example}`)),
    path,
  )
  const of = (place: string): [string, string][] =>
    parameters
      .filter((each) => each.in === place && each.example !== undefined)
      .map((each) => [each.name, `${each.example}`])
  const query = new URLSearchParams(of('query')).toString()
  const [type = '', media] =
    Object.entries(requestBody?.content ?? {}).find(([type]) => !type.startsWith('multipart/')) ?? []
  const bodies = media?.examples ? Object.values(media.examples).map(({ value }) => value) : [media?.example]
  const headers = Object.fromEntries([...(type ? [['content-type', type]] : []), ...of('header')])
  return bodies.map((body) => ({ path: query ? `${filled}?${query}` : filled, body, headers }))
}
