// deploy/container, as far as a machine without containers can tell.
import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { services } from '@bursar/contracts/services'
import manifest from '../../package.json'
import { withAllocator } from '../../scripts/stack/allocator'
import { knownSettings } from '../../scripts/stack/warnings'
import { executable } from '../executable'

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

test('the image is made by the Bun of package.json, and runs all services of the executable as nobody', async () => {
  for (const image of all('FROM')) expect(image).toStartWith(`oven/bun:${manifest.devDependencies.bun}-slim`)
  expect(all('USER')).toEqual(['10001:10001'])
  const [, made = ''] = /^bun scripts\/build\.ts --executable (\S+)$/.exec(all('RUN')[1] ?? '') ?? []
  const [, placed = ''] = all('COPY').at(-1)?.split(`--from=build ${made} `) ?? []
  expect(all('ENTRYPOINT')).toEqual([JSON.stringify([basename(placed)])])
  const words = JSON.parse(all('CMD').at(-1) ?? '[]') as string[]
  const child = Bun.spawn([await executable(), ...words, 'none'], { env: {}, stderr: 'pipe' })
  expect([await child.stderr.text(), await child.exited]).toEqual(['There is no service none.\n', 1])
})

test('neither git nor the image takes data, backups, keys or settings of a checkout', () => {
  const kept = [
    'data/core.sqlite',
    'data.before/internal.secret',
    'backups/one/quote.key',
    'keys.env',
    'steps.env',
    '.env',
    '.env.bank',
  ]
  const names = [...kept, 'bursar-backup.key', 'bursar']
  const ignored = Bun.spawnSync(['git', 'check-ignore', '--no-index', ...names], { cwd: root })
  expect(ignored.stdout.toString().trim().split('\n')).toEqual(names)
  const left = textOf('deploy/container/Containerfile.dockerignore').trim().split('\n')
  const isLeft = (name: string) =>
    left.some((pattern) => new Bun.Glob(pattern.replace(/^\//, '')).match(name.split('/')[0] ?? ''))
  expect(names.filter((name) => !isLeft(name))).toEqual([])
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
