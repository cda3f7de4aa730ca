// A machine without Redis: what the starter says where it cannot install one, and how long it tries without a network.
import { describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { tempDir } from '@bursar/testing'
import { aptGet, isUnreachable } from '../../scripts/stack/apt'
import { provideRedisServer } from '../../scripts/stack/redis-server'

/** What is said, and the error in the end. */
async function missing(ways: readonly ((say: (sentence: string) => unknown) => string | undefined)[]) {
  const said: string[] = []
  const error = await provideRedisServer((sentence) => said.push(sentence), {
    chosen: '',
    find: () => undefined,
    ways,
  }).then(
    () => null,
    (problem: Error) => problem.message,
  )
  return { said, error }
}

describe('a machine without Redis', () => {
  test('and without apt-get and Homebrew: what to install, or where to point at', async () => {
    const { said, error } = await missing([])
    expect(said).toEqual(['no redis-server 6.2 or later is here yet'])
    expect(error).toContain('Redis 6.2 or later is needed, and there is neither apt-get nor Homebrew to install it.')
    for (const word of ['redis-server', 'valkey-server', 'REDIS_URL', 'REDIS_SERVER']) expect(error).toContain(word)
  })

  test('and without a network: the first way that finds it so is the last', async () => {
    const tried: string[] = []
    const way = (name: string, reason: string) => () => {
      tried.push(name)
      return reason
    }
    const { said, error } = await missing([
      way('locked', 'apt-get install failed: E: Could not get lock'),
      way(
        'away',
        'apt-get update failed: E: Failed to fetch http://x Could not connect to x:80 (1.2.3.4), connection timed out',
      ),
      way('again', 'never'),
    ])
    expect(tried).toEqual(['locked', 'away'])
    expect(said.at(-1)).toContain('connection timed out')
    expect(error).toContain('and could not be installed')
  })

  test('one that a way has installed is taken', async () => {
    let installed: string | undefined
    const install = () => {
      installed = '/usr/bin/redis-server'
      return undefined
    }
    expect(await provideRedisServer(() => {}, { chosen: '', find: () => installed, ways: [install] })).toBe(
      '/usr/bin/redis-server',
    )
  })
})

test.skipIf(!Bun.which('apt-get'))('apt-get gives up on a server that never answers, and says so', async () => {
  const sockets = createServer(() => {})
  await new Promise<void>((resolve) => sockets.listen(0, '127.0.0.1', resolve))
  const { port } = sockets.address() as { port: number }
  const folder = tempDir()
  for (const name of ['lists/partial', 'cache/archives/partial', 'parts'])
    mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'sources.list'), `deb [trusted=yes] http://127.0.0.1:${port}/debian stable main\n`)
  const places = {
    'Dir::Etc::SourceList': join(folder, 'sources.list'),
    'Dir::Etc::SourceParts': join(folder, 'parts'),
    'Dir::State::Lists': join(folder, 'lists'),
    'Dir::Cache': join(folder, 'cache'),
    'Acquire::http::Proxy': 'false',
  }
  const options = Object.entries(places).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  const reason = aptGet([...options, 'update'], { env: { http_proxy: '' } })
  sockets.close()
  expect(reason).toStartWith('apt-get update failed: ')
  expect([reason, isUnreachable(reason ?? '')]).toEqual([reason, true])
})
