// Which page a browser gets: the log-in, which waits for nothing of the others, or the console.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openConsole, type TestConsole } from './console-harness'

let consoles: TestConsole
beforeAll(async () => {
  consoles = await openConsole()
})
afterAll(() => consoles?.close())

const open = async (headers: Record<string, string>, path = '/console/transactions?status=FROZEN') =>
  await fetch(consoles.url + path, { headers })
const pageOf = async (headers: Record<string, string>, path?: string) =>
  (await (await open(headers, path)).text()).includes('<h1 id="gate-title">Log in</h1>') ? 'log-in' : 'console'

/** A person's own navigation: an address typed, a bookmark, a link of the console. */
const own = [{ 'sec-fetch-site': 'none' }, { 'sec-fetch-site': 'same-origin' }]

describe('without a session', () => {
  test.each(own)('%j: the log-in, at every path', async (headers) => {
    for (const path of ['/console', '/console/', '/console/transactions/1', '/console/no/such.page'])
      expect([path, await pageOf(headers, path)]).toEqual([path, 'log-in'])
    expect(await pageOf({ ...headers, cookie: '__Host-session=x' })).toBe('log-in')
    expect(await pageOf({ ...headers, cookie: `__Host-session=${'A'.repeat(43)}` })).toBe('log-in')
  })

  test('from another site browsers send no cookie: the console, which finds out; it also takes the provider’s return', async () => {
    for (const site of ['cross-site', 'same-site']) expect(await pageOf({ 'sec-fetch-site': site })).toBe('console')
    expect(await pageOf({})).toBe('console')
    for (const headers of own) expect(await pageOf(headers, '/console/single-sign-on?code=x')).toBe('console')
  })

  test('it is as strict as the others, and is not kept for another page', async () => {
    const logIn = await open({ 'sec-fetch-site': 'none' })
    const page = await open({})
    for (const name of ['content-security-policy', 'cache-control', 'referrer-policy'])
      expect(logIn.headers.get(name)).toBe(page.headers.get(name))
    expect(logIn.headers.get('cache-control')).toBe('no-cache')
    expect(logIn.headers.get('etag')).not.toBe(page.headers.get('etag'))
    expect(await logIn.text()).not.toMatch(/<script(?![^>]*src=)|\son\w+=|<style|\sstyle=/)
  })

  test('its files are served', async () => {
    const text = await (await open({ 'sec-fetch-site': 'none' })).text()
    const files = [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path)
    expect(files.map((path) => path.split('.').at(-1)).sort()).toEqual(['css', 'js', 'woff2'])
    for (const path of files) expect([path, (await open({}, path)).status]).toEqual([path, 200])
  })
})

test('with a session: the console, until the session ends', async () => {
  const cookie = await consoles.logIn()
  for (const headers of own) expect(await pageOf({ ...headers, cookie })).toBe('console')
  await consoles.ask('/session', { method: 'DELETE', cookie })
  for (const headers of own) expect(await pageOf({ ...headers, cookie })).toBe('log-in')
})
