import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { webhookEvents } from '@bursar/contracts/webhook-events'
import { until } from '@bursar/testing'
import { lintOpenApi } from '@bursar/testing/lint-openapi'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { behind } from '../src/docs-site/service-health'

// Real services: quote (shape 3), customer (shape 1), message (shape 2), core ledger (paths of its own), webhook (which
// sends requests itself). The rest is away.
const running = ['gateway', 'quote', 'customer', 'message', 'core-ledger', 'webhook'] as const
let platform: TestPlatform
let url: string
beforeAll(async () => {
  platform = await testPlatform(running, { INTERNAL_AUTH: 'required' })
  url = platform.url('gateway')
})
afterAll(() => platform?.close())

interface WebhookOperation {
  requestBody: { content: { 'application/json': { schema: { $ref?: string } } } }
}

const get = async (path: string) => {
  const response = await fetch(url + path)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe('the page at /', () => {
  test('lists every service with its health and a link to its API', async () => {
    const rowsIn = (text: string) => [...text.matchAll(/<tr>\s*<th scope="row">([^<]+)<\/th>.*?<\/tr>/gs)]
    const healthyIn = (text: string) =>
      rowsIn(text).filter(([row]) => row.includes('● </span>') || row.includes('Healthy'))
    // On a busy machine one may answer too late.
    const whole = async () => {
      const page = await get('/')
      return healthyIn(page.text).length === running.length - 1 && page
    }
    const { status, headers, text } = await until(whole, { what: 'all that run to be healthy' })
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const rows = rowsIn(text)
    expect(rows.map(([, name]) => name)).toEqual(behind)
    const healthy = healthyIn(text).map(([, name]) => name)
    expect(healthy.sort()).toEqual(['core-ledger', 'customer', 'message', 'quote', 'webhook'])
    expect(rows.filter(([row]) => row.includes('Not reachable')).length).toBe(behind.length - 5)
  })

  test('links to the console, the APIs and the document, all of which exist', async () => {
    const { text } = await get('/')
    const links = [...text.matchAll(/<header>.*<\/header>/gs)].flatMap(([header]) =>
      [...header.matchAll(/<a href="([^"]+)">/g)].map(([, href = '']) => href),
    )
    expect(links).toEqual(['console', 'docs', 'openapi.json'])
    for (const link of links) expect([link, (await get(`/${link}`)).status]).toEqual([link, 200])
  })

  test('a service that stops is shown within seconds', async () => {
    await platform.stop('message')
    const isAway = async () => /message<\/th>(?:(?!<\/tr>).)*Not reachable/s.test((await get('/')).text)
    await until(isAway, { what: 'the message service to be shown as away' })
    await platform.start('message')
    await until(async () => !(await isAway()), { what: 'it to be shown as back' })
  })

  test.each(['/', '/docs'])(
    '%s loads files from the gateway alone, and runs no script of its own text',
    async (path) => {
      const { headers, text } = await get(path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).not.toContain('unsafe')
      expect(text).not.toMatch(/<script(?![^>]*src=)|\son\w+=|<style|\sstyle=/)
      const files = [...text.matchAll(/(?:src|href)="([^":]+\.(?:js|css|png))"/g)].map(([, file = '']) => file)
      expect(files.length).toBeGreaterThan(1)
      for (const file of files) {
        const answer = await get(`/${file}`)
        expect([file, answer.status, answer.text.length > 50]).toEqual([file, 200, true])
      }
    },
  )
})

describe('GET /openapi.json', () => {
  // On a busy machine one may give its document too late; what the gateway has once, it keeps.
  beforeAll(async () => {
    const isWhole = async () => {
      const paths = Object.keys(JSON.parse((await get('/openapi.json')).text).paths)
      return ['quote', 'customer', 'message', 'core', 'webhook'].every((slug) =>
        paths.some((path) => path.startsWith(`/${slug}/v1/`)),
      )
    }
    await until(isWhole, { what: 'the documents of all that run' })
  })

  test('has the operations of all reachable services, under the gateway’s paths', async () => {
    const { status, text } = await get('/openapi.json')
    expect(status).toBe(200)
    const document = JSON.parse(text)
    for (const name of ['quote', 'customer', 'message', 'core-ledger'] as const) {
      const own = (await (
        await fetch(`${platform.url(name)}/v1/swagger/json`, { headers: await identity(name) })
      ).json()) as {
        paths: Record<string, object>
      }
      for (const path of Object.keys(own.paths)) {
        const slug = name === 'core-ledger' ? 'core' : name
        const here = path.startsWith('/api/v1/core') ? path : `/${slug}/v1${path}`
        expect([here, Object.keys(document.paths[here] ?? {})]).toEqual([here, Object.keys(own.paths[path] ?? {})])
      }
    }
  })

  test('passes Spectral and Redocly', async () => {
    const findings = await lintOpenApi((await get('/openapi.json')).text)
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
  })

  test('says which credentials an operation needs, and that 429 has shape 1', async () => {
    const { paths, components } = JSON.parse((await get('/openapi.json')).text)
    expect(paths['/quote/v1/health'].get.security).toEqual([])
    expect(paths['/quote/v1/assets'].get.security).toEqual([{ accessToken: [] }, { apiKey: [] }, { clientToken: [] }])
    const { $ref } = paths['/quote/v1/assets'].get.responses['429']
    const response = components.responses[$ref.split('/').at(-1)]
    expect(response.content['application/json'].example.error.code).toBe('RATE_LIMITED')
  })

  test('has the webhooks that receivers get, with schemas that are in it', async () => {
    const { webhooks, components } = JSON.parse((await get('/openapi.json')).text)
    expect(Object.keys(webhooks)).toEqual(webhookEvents.map(({ type }) => type))
    for (const { post } of Object.values<{ post: WebhookOperation }>(webhooks)) {
      const { $ref } = post.requestBody.content['application/json'].schema
      if ($ref) expect(components.schemas).toHaveProperty([$ref.replace('#/components/schemas/', '')])
    }
    expect(webhooks['payment.executed'].post.requestBody.content['application/json'].schema.$ref).toContain('/webhook.')
    expect(JSON.parse((await get('/docs/quote.json')).text)).not.toHaveProperty('webhooks')
  })

  test('has a part for each service', async () => {
    const { paths, info } = JSON.parse((await get('/docs/quote.json')).text)
    expect(info.title).toBe('Bursar quote service')
    expect(Object.keys(paths).every((path) => path.startsWith('/quote/v1/'))).toBe(true)
    expect((await get('/docs/nothing.json')).status).toBe(404)
    expect((await get('/docs/wallet.json')).status).toBe(503)
  })
})

test('an unknown path: 404 in shape 1', async () => {
  const { status, text } = await get('/nothing/here')
  expect([status, JSON.parse(text).error.code]).toEqual([404, 'NOT_FOUND'])
})

async function identity(audience: 'quote' | 'customer' | 'message' | 'core-ledger') {
  const { createIdentity, openInternalSecret, identityHeader } = await import('@bursar/http')
  const caller = { kind: 'service', subject: 'gateway', participantId: null, roles: [] } as const
  const token = await createIdentity('gateway', openInternalSecret(platform.dataDir, undefined), () => new Date()).sign(
    caller,
    audience,
  )
  return { [identityHeader]: token }
}
