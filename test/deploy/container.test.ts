// deploy/container, as far as a machine without containers can tell.
import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { services } from '@bursar/contracts/services'
import manifest from '../../package.json'
import { withAllocator } from '../../scripts/stack/allocator'
import { knownSettings } from '../../scripts/stack/warnings'

const root = join(import.meta.dir, '../..')
const textOf = (name: string): string => readFileSync(join(root, name), 'utf8')
const known = knownSettings(textOf('.env.example'))

/** The instructions of the file, in order. */
const instructions = textOf('deploy/container/Containerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter(Boolean)
  .map((line) => {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
    return { name, rest }
  })
const all = (name: string) => instructions.filter((each) => each.name === name).map(({ rest }) => rest)

interface Compose {
  services: Record<
    'bursar' | 'redis',
    {
      build?: { context: string; dockerfile: string }
      read_only: boolean
      cap_drop: string[]
      security_opt: string[]
      environment?: Record<string, string>
      ports?: string[]
      command?: string[]
      volumes: string[]
    }
  >
  volumes: Record<string, unknown>
}
const compose = Bun.YAML.parse(textOf('deploy/container/compose.yaml')) as Compose

test('the image has the Bun of package.json, and runs what the project has as nobody', () => {
  for (const image of all('FROM')) expect(image).toStartWith(`oven/bun:${manifest.devDependencies.bun}-slim`)
  expect(all('USER')).toEqual(['10001:10001'])
  const [command = ''] = (JSON.parse(all('CMD').at(-1) ?? '[]') as string[]).slice(-1)
  expect(existsSync(join(root, command))).toBe(true)
})

test('settings of both files exist, and services ask for proof of who calls', () => {
  const set = Object.fromEntries(all('ENV').flatMap((line) => line.split(' ').map((pair) => pair.split('='))))
  const names = [...Object.keys(set), ...Object.keys(compose.services.bursar.environment ?? {})]
  expect(names.filter((name) => !known.has(name))).toEqual([])
  expect(set).toMatchObject({ NODE_ENV: 'production', HOST: '0.0.0.0', INTERNAL_AUTH: 'required' })
  expect(set).toMatchObject(withAllocator({}))
  expect(all('EXPOSE')).toEqual([String(services.gateway.port)])
})

test('the health check asks what the gateway answers', async () => {
  const [, , script = ''] = JSON.parse(/CMD (\[.*\])$/.exec(all('HEALTHCHECK')[0] ?? '')?.[1] ?? '[]') as string[]
  const codes = await Promise.all(
    [200, 503].map(async (status) => {
      const paths: string[] = []
      using server = Bun.serve({
        port: 0,
        fetch({ url }) {
          paths.push(new URL(url).pathname)
          return new Response('', { status })
        },
      })
      const check = script.replace(String(services.gateway.port), String(server.port))
      const code = await Bun.spawn([process.execPath, '-e', check]).exited
      return [status, paths, code]
    }),
  )
  expect(codes).toEqual([
    [200, ['/health/ready'], 0],
    [503, ['/health/ready'], 1],
  ])
})

test('containers write to their volumes alone, and the gateway is open to this machine alone', () => {
  for (const { read_only, cap_drop, security_opt, volumes } of Object.values(compose.services)) {
    expect({ read_only, cap_drop, security_opt }).toEqual({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
    for (const volume of volumes) expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0] ?? '')
  }
  expect(compose.services.bursar.ports).toEqual(['127.0.0.1:4000:4000'])
  expect(compose.services.bursar.volumes).toEqual([`data:${all('VOLUME')[0]}`])
  const { context = '', dockerfile = '' } = compose.services.bursar.build ?? {}
  expect(existsSync(join(root, 'deploy/container', context, dockerfile))).toBe(true)
})

test('Redis keeps what it is given, as bun run doctor asks', () => {
  const words = compose.services.redis.command?.join(' ')
  expect(words).toContain('--appendonly yes')
  expect(words).toContain('--maxmemory-policy noeviction')
})
