import { afterEach, describe, expect, mock, spyOn, test } from 'bun:test'
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { silentLog } from '@bursar/contracts/log'
import { tempDir } from '@bursar/testing'
import { peerAddress } from '../src'
import { socketFile } from '../src/peers/sockets'
import { at, bySocket, endAll, leaveStale, open, place, wordsOf } from './socket-place'

afterEach(endAll)

describe('a service with a socket beside its port', () => {
  test('is called by the socket, at each name of the loopback', async () => {
    const there = await place()
    await open(there, (request) => new Response(`${request.url} ${peerAddress(request, null)}`))
    expect(await wordsOf(`${there.url}/v1/things?a=1`)).toBe(`${there.url}/v1/things?a=1 127.0.0.1`)
    expect(await wordsOf(`http://localhost:${there.port}/`)).toBe(`http://localhost:${there.port}/ 127.0.0.1`)
    expect(there.byPort).toEqual([])
    // Others are not: only requests to services take this way.
    expect(await (await fetch(there.url)).text()).toBe('by the port')
  })

  test('is open to its own user alone, and its file goes with it', async () => {
    const there = await place()
    const socket = await open(there)
    expect(statSync(there.file).mode & 0o777).toBe(0o600)
    const stopping = socket?.stop()
    expect(existsSync(there.file)).toBe(false)
    await stopping
    expect(await wordsOf(there.url)).toBe('by the port')
  })

  test.each(['0.0.0.0', '::', 'localhost'])('has it when it listens on %s', async (host) => {
    const there = await place()
    await open(there, bySocket, host)
    expect(await wordsOf(there.url)).toBe('by the socket')
  })

  test.each(['10.0.0.5', '127.0.0.2', '::1'])('has none when it listens on %s', async (host) => {
    const there = await place()
    expect(await open(there, bySocket, host)).toBeNull()
    expect(existsSync(there.file)).toBe(false)
  })

  test('is called by the port under every other address', async () => {
    const there = await place()
    await open(there)
    for (const address of [
      `https://127.0.0.1:${there.port}`,
      `http://127.0.0.2:${there.port}`,
      `http://[::1]:${there.port}`,
    ])
      expect([address, await wordsOf(address).catch(() => 'by none')]).not.toContain('by the socket')
  })

  test('gives it the limits that the port has', async () => {
    const serve = spyOn(Bun, 'serve')
    const there = await place()
    await open(there)
    expect(serve.mock.calls.at(-1)?.[0]).toMatchObject({ idleTimeout: 30, maxRequestBodySize: 64 * 1024 * 1024 })
  })
})

describe('the file of a socket', () => {
  test('that a killed process has left is replaced', async () => {
    const there = await place()
    leaveStale(there.file)
    expect(await open(there)).not.toBeNull()
    expect(await wordsOf(there.url)).toBe('by the socket')
  })

  test('of a service that lives is never taken', async () => {
    const there = await place()
    await open(there, () => new Response('by the first'))
    const warn = mock()
    expect(await open(there, bySocket, '127.0.0.1', { ...silentLog, warn })).toBeNull()
    expect(warn).toHaveBeenCalledTimes(1)
    expect(await wordsOf(there.url)).toBe('by the first')
  })

  test('is not made in the place of something else, or where its path is too long', async () => {
    const there = await place()
    writeFileSync(there.file, 'mine')
    expect(await open(there)).toBeNull()
    expect(await Bun.file(there.file).text()).toBe('mine')
    expect(await wordsOf(there.url)).toBe('by the port')
    const warn = mock()
    const bytes = (length: number) => {
      const folder = tempDir()
      return join(folder, 'x'.repeat(length - Buffer.byteLength(socketFile(folder, there.port)) - 1))
    }
    for (const [length, isOpen] of [
      [107, true],
      [108, false],
      [300, false],
    ] as const) {
      const other = await place(bytes(length))
      mkdirSync(other.folder)
      const log = { ...silentLog, warn }
      expect([length, (await open({ ...other, port: there.port }, bySocket, '127.0.0.1', log)) !== null]).toEqual([
        length,
        isOpen,
      ])
    }
    expect(warn).not.toHaveBeenCalled()
  })

  test.skipIf(process.getuid?.() !== 0)('of another user is not trusted', async () => {
    const there = await place()
    await open(there)
    spyOn(process, 'geteuid').mockReturnValue(12_345)
    expect(await wordsOf(there.url)).toBe('by the port')
  })

  test('is looked for again when a second is over, and not with each request', async () => {
    const there = await place()
    const clock = at(1000)
    expect(await wordsOf(there.url)).toBe('by the port')
    await open(there)
    clock.mockReturnValue(1999)
    expect(await wordsOf(there.url)).toBe('by the port')
    clock.mockReturnValue(2000)
    expect(await wordsOf(there.url)).toBe('by the socket')
  })
})
