import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { silentLog } from '@bursar/contracts/log'
import { tempDir, until } from '@bursar/testing'
import { currentBuild } from '../src/console/files/current-build'
import { serveFiles } from '../src/console/files/serve-files'
import { openGateway, type TestGateway } from './harness'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway?.close())

const get = (path: string, init: RequestInit & { decompress?: boolean } = {}) => fetch(gateway.url + path, init)
const assetsIn = (page: string) => [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path)

/** What the answer of every page, file and refusal must forbid a browser. */
function expectStrictPolicy(headers: Headers) {
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/unsafe|\*|https?:|blob:/)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
}

describe('the page', () => {
  test.each(['/console', '/console/', '/console/transactions/1?status=FROZEN', '/console/no/such.page', '//console/x'])(
    '%s',
    async (path) => {
      const answer = await get(path)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(answer.headers.get('cache-control')).toBe('no-cache')
      expectStrictPolicy(answer.headers)
      expect(answer.headers.get('content-security-policy')).toContain(
        "require-trusted-types-for 'script'; trusted-types 'none'",
      )
      expect(answer.headers.get('x-request-id')).toBeTruthy()
      expect(answer.headers.get('set-cookie')).toBeNull()
      const text = await answer.text()
      expect(text).toMatch(/^<!doctype html>/)
      expect(text).not.toMatch(/<script(?![^>]*src=)|\son\w+=|<style|\sstyle=/)
    },
  )

  test('its files exist, and come from the gateway alone', async () => {
    const files = assetsIn(await (await get('/console')).text())
    expect(files.some((path) => path.endsWith('.css'))).toBeTrue()
    expect(files.some((path) => path.endsWith('.js'))).toBeTrue()
    expect(files.some((path) => path.endsWith('.woff2'))).toBeTrue()
    for (const path of files) {
      const answer = await get(path)
      expect([path, answer.status]).toEqual([path, 200])
      expect(path).toMatch(/^\/console\/assets\/[\w-]+-[a-z0-9]{8}\.(js|css|woff2)$/)
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(answer.headers.get('content-type')).toMatch(/^(text\/(javascript|css); charset=utf-8|font\/woff2)$/)
      expectStrictPolicy(answer.headers)
      expect(await answer.text()).not.toContain('sourceMappingURL')
    }
  })

  test('is not sent again to a browser that has it cached', async () => {
    const etag = (await get('/console')).headers.get('etag') ?? ''
    expect((await get('/console/log', { headers: { 'if-none-match': `"other", W/${etag}` } })).status).toBe(304)
    expect((await get('/console', { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
    const packed = await get('/console', { headers: { 'if-none-match': etag, 'accept-encoding': 'identity' } })
    expect(packed.status).toBe(200)
  })
})

describe('codings', () => {
  const unpacked = {
    br: (bytes: Uint8Array) => brotliDecompressSync(bytes),
    zstd: (bytes: Uint8Array) => zstdDecompressSync(bytes),
    gzip: (bytes: Uint8Array) => gunzipSync(bytes),
  }
  const plain = async () => await (await get('/console', { headers: { 'accept-encoding': 'identity' } })).text()

  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate, zstd', 'zstd'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['*, br;q=0.000', 'zstd'],
  ] as const)('%s: %s', async (accepted, coding) => {
    const answer = await get('/console', { headers: { 'accept-encoding': accepted }, decompress: false })
    expect([answer.headers.get('content-encoding'), answer.headers.get('vary')]).toEqual([coding, 'accept-encoding'])
    const bytes = await answer.bytes()
    expect(answer.headers.get('content-length')).toBe(String(bytes.byteLength))
    expect(unpacked[coding](bytes).toString()).toBe(await plain())
    expect(answer.headers.get('etag')).toEndWith(`-${coding}"`)
  })

  test.each(['identity', 'deflate', 'br;q=0, gzip;q=0'])('%s: as it is', async (accepted) => {
    const answer = await get('/console', { headers: { 'accept-encoding': accepted }, decompress: false })
    expect(answer.headers.get('content-encoding')).toBeNull()
    expect(await answer.text()).toStartWith('<!doctype html>')
  })
})

describe('refused requests', () => {
  test.each(['/console/assets/none-12345678.js', '/console/assets/', '/console/assets/main.js.map', '/console/api'])(
    '404: %s',
    async (path) => {
      const answer = await get(path)
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store'])
      expectStrictPolicy(answer.headers)
    },
  )

  test('400: an ambiguous path', async () => {
    expect((await get('/console/..%2Fapi')).status).toBe(400)
  })

  test('405: methods other than GET and HEAD', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const answer = await get('/console', { method })
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'GET, HEAD'])
      expectStrictPolicy(answer.headers)
    }
  })

  test('HEAD answers as GET, without the body', async () => {
    const answer = await get('/console', { method: 'HEAD' })
    expect([answer.status, await answer.text()]).toEqual([200, ''])
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(100)
  })

  test('paths that merely begin like the console are not its own', async () => {
    for (const path of ['/consoles', '/Console', '/console.html', '/%63onsole', '/quote/v1/console']) {
      const text = await (await get(path)).text()
      expect(text).not.toContain('<!doctype html>')
    }
    expect((await get('/console/../quote/v1/assets')).status).toBe(401)
  })
})

describe('the build', () => {
  const folderWith = async (main: string) => {
    const folder = tempDir()
    mkdirSync(join(folder, 'src'))
    await Bun.write(join(folder, 'index.html'), '<!doctype html><!-- built -->')
    await Bun.write(join(folder, 'src/main.tsx'), main)
    return folder
  }
  const page = (build: ReturnType<typeof currentBuild>) =>
    serveFiles(build, new Request('http://localhost/console'), '/console', async () => false)

  test('503 and a page that says so when the sources cannot be built; the log has the reason', async () => {
    const lines: unknown[] = []
    const log = { ...silentLog, error: (fields: object, message: string) => void lines.push({ ...fields, message }) }
    const build = currentBuild(log, { watched: false, folder: await folderWith("import './missing'\n") })
    const answer = await page(build)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([503, 'no-store'])
    expectStrictPolicy(answer.headers)
    expect(await answer.text()).toContain("the gateway's log says why")
    expect((await page(build)).status).toBe(503)
    expect(lines).toHaveLength(1)
    expect(JSON.stringify(lines[0])).toContain('./missing')
  })

  test('runs once in a process, however many ask', async () => {
    const folder = await folderWith("console.log('once')\n")
    const [one, other] = [
      currentBuild(silentLog, { watched: false, folder }),
      currentBuild(silentLog, { watched: false, folder }),
    ]
    const [first, second] = await Promise.all([one(), other()])
    expect(first).not.toBeNull()
    expect(second).toBe(first)
    await Bun.write(join(folder, 'src/main.tsx'), "console.log('twice')\n")
    expect(await one()).toBe(first)
  })

  test('runs again after a change when watched, and the files get new names', async () => {
    const folder = await folderWith("console.log('once')\n")
    const build = currentBuild(silentLog, { watched: true, folder })
    const before = await (await page(build)).text()
    expect(await (await page(build)).text()).toBe(before)
    await until(async () => {
      await Bun.write(join(folder, 'src/main.tsx'), "console.log('twice')\n")
      return (await (await page(build)).text()) !== before
    })
    expect(assetsIn(await (await page(build)).text())).not.toEqual(assetsIn(before))
  })
})
