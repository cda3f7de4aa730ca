/**
 * `bun scripts/new-service.ts <name>`: the next service, in the form of the others, with one example resource. What it
 * makes passes the checks and its own tests as it is. The template is a service too: scripts/new-service/template.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { eventCatalogue } from '@bursar/contracts/events'
import { type ServiceName, services } from '@bursar/contracts/services'
import { filesOf, readTemplate, writeFiles } from './new-service/files'
import { withPort, withProcess } from './new-service/register'
import { type Plan, takenName } from './new-service/words'

const help = `Usage: bun scripts/new-service.ts <name> [--shape envelope|strings|reason] [--resource notes]

Makes services/<name> in the form of the other services: the process, the app, one example resource (create with an
idempotency key, list by page, get), its migration and its tests; and its line in Procfile and .env.example.

  <name>        as in packages/contracts/src/services.ts
  --shape       its error body: envelope (default) {"error":{"code",…}}, strings {"error":["…"]}, reason {"message":…}
  --resource    the example resource, a plural in kebab-case (default: notes)
  --no-install  leaves out bun install, where what a service uses can be found already
`

const root = dirname(import.meta.dir)
const shapes = ['object', 'list', 'message'] as const

interface Request extends Plan {
  name: ServiceName
  install: boolean
}

/** What the command line asks for; null for help. Throws one sentence when that cannot be done. */
function readRequest(): Request | null {
  const { values, positionals } = readArguments()
  if (values.help) return null
  const [name, ...others] = positionals
  if (!name || others.length > 0) throw new Error('Name one service: bun scripts/new-service.ts <name>')
  if (!isService(name)) {
    const missing = Object.keys(services).filter((each) => !existsSync(join(root, 'services', each)))
    throw new Error(
      `There is no ${name} in packages/contracts/src/services.ts; not yet made: ${missing.join(', ') || 'none'}.`,
    )
  }
  if (existsSync(join(root, 'services', name))) throw new Error(`services/${name} is there already.`)
  const { resource } = values
  const shape = shapes.find((each) => each === values.shape)
  if (!shape) throw new Error(`--shape must be ${shapes.join(', ')}, not "${values.shape}".`)
  if (!/^[a-z][a-z0-9]+(-[a-z0-9]+)*s$/.test(resource)) {
    throw new Error(`--resource must be a plural in kebab-case, such as bank-accounts, not "${resource}".`)
  }
  const taken = takenName(readTemplate().values(), { name, shape, resource })
  if (taken) throw new Error(`--resource ${resource} needs the name ${taken}, which every service has another use for.`)
  return { name, shape, resource, install: !values['no-install'] }
}

const isService = (name: string): name is ServiceName => Object.hasOwn(services, name)

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        shape: { type: 'string', default: 'object' },
        resource: { type: 'string', default: 'notes' },
        'no-install': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    throw new Error(`${(error as Error).message}; --help lists the options.`)
  }
}

/** Runs a program to its end. Throws what it said when it fails, or when the file that it is to make is not there. */
function run(command: string[], cwd: string, makes = '.'): void {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  if (exitCode === 0 && existsSync(join(cwd, makes))) return
  throw new Error(`${command.join(' ')} failed, and nothing was made:\n${stderr}${stdout}`)
}

/** Makes the service, whole or not at all. */
function makeService({ install, ...plan }: Request): void {
  const folder = join(root, 'services', plan.name)
  const tool = (name: string) => join(root, 'node_modules/.bin', name)
  const lock = install ? readFileSync(join(root, 'bun.lock')) : null
  try {
    writeFiles(folder, filesOf(root, plan))
    if (install) run([process.execPath, 'install'], root)
    // It ends with 0 also when it could not read the tables.
    run([tool('drizzle-kit'), 'generate', '--name', 'start'], folder, 'migrations/sqlite/0000_start.sql')
    // Other names have another length, and another place among the imports.
    run([tool('biome'), 'check', '--write', folder], root)
    change('.env.example', (text) => withPort(text, plan.name))
    change('Procfile', (text) => withProcess(text, plan.name))
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    if (lock) writeFileSync(join(root, 'bun.lock'), lock)
    throw error
  }
}

function change(path: string, edit: (text: string) => string): void {
  writeFileSync(join(root, path), edit(readFileSync(join(root, path), 'utf8')))
}

/** What is left to a person. */
function nextSteps({ name, resource }: Request): string {
  const { port } = services[name]
  const heard = [...eventCatalogue.values()].filter(({ consumers }) => consumers.includes(name))
  const hears = heard.map((event) => `\n     it is to hear ${event.name} already`).join('')
  return `services/${name} is made; ${resource} is its example, for the first real resource to replace.

Next:
  1. packages/contracts/src/${name}.ts: the events it emits (then import it in events.ts) and the calls it answers.
     What it hears goes into a *.consumer.ts, and into consumers in src/service.ts.${hears}
  2. README.md, its line in the table of services:
     | ${name} | ${port} | http://127.0.0.1:${port}/swagger | what it does |
  3. services/${name}/src/app.ts: what it says of itself.
  4. After a change of a *.table.ts: bun run --cwd services/${name} migrations
  5. bun test --timeout=30000 services/${name}; bun run check; scripts/start --only ${name}`
}

try {
  const request = readRequest()
  if (request) makeService(request)
  console.log(request ? nextSteps(request) : help.trimEnd())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
