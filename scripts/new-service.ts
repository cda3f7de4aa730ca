/**
 * `bun scripts/new-service.ts <name>`: the next service, in the form of the others, with one example resource. What it
 * makes passes the checks and its own tests as it is. The template is a service too: scripts/new-service/template.
 */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { eventCatalogue } from '@bursar/contracts/events'
import { type ServiceName, services } from '@bursar/contracts/services'
import { readTemplate } from './new-service/files'
import { documentEvents, makeService } from './new-service/make'
import { removeService } from './new-service/remove'
import { run } from './new-service/run'
import { type Plan, takenName } from './new-service/words'

const help = `Usage: bun scripts/new-service.ts <name> [--shape object|list|message] [--resource notes]
       bun scripts/new-service.ts --remove <name>

Makes services/<name> like the other services: the process, the app, one example resource (contract, event, consumer, routes,
internal route for replicas), migration and tests; and its lines in Procfile, .env.example and the catalogue of events.
--remove deletes all of that.

  <name>        as in packages/contracts/src/services.ts
  --shape       its error body: object (default) {"error":{"code",…}}, list {"error":["…"]}, message {"message":…}
  --resource    the example resource, a plural in kebab-case (default: notes)
  --no-install  skips bun install, if the dependencies are there already
`

const root = dirname(import.meta.dir)
const shapes = ['object', 'list', 'message'] as const

type Request =
  | { does: 'make'; plan: Plan & { name: ServiceName }; install: boolean }
  | { does: 'remove'; name: ServiceName; install: boolean }

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
  const install = !values['no-install']
  return values.remove ? { does: 'remove', name, install } : { does: 'make', plan: planOf(name, values), install }
}

function planOf(name: ServiceName, { shape: asked, resource }: { shape: string; resource: string }) {
  if (existsSync(join(root, 'services', name))) throw new Error(`services/${name} is there already.`)
  const shape = shapes.find((each) => each === asked)
  if (!shape) throw new Error(`--shape must be ${shapes.join(', ')}, not "${asked}".`)
  if (!/^[a-z][a-z0-9]+(-[a-z0-9]+)*s$/.test(resource)) {
    throw new Error(`--resource must be a plural in kebab-case, such as bank-accounts, not "${resource}".`)
  }
  const plan = { name, shape, resource, contract: contractFor(name, resource) }
  const taken = takenName(readTemplate().values(), plan)
  if (taken) throw new Error(`--resource ${resource} needs the name ${taken}, which every service has another use for.`)
  return plan
}

/** The service's own contract; where others have written one already, one of the resource beside it. */
function contractFor(name: ServiceName, resource: string): string {
  const hasContract = (file: string) => existsSync(join(root, 'packages/contracts/src', `${file}.ts`))
  const contract = hasContract(name) ? `${name}-${resource}` : name
  if (hasContract(contract)) throw new Error(`packages/contracts/src/${contract}.ts is there already.`)
  return contract
}

const isService = (name: string): name is ServiceName => Object.hasOwn(services, name)

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        shape: { type: 'string', default: 'object' },
        resource: { type: 'string', default: 'notes' },
        remove: { type: 'boolean', default: false },
        'no-install': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    throw new Error(`${(error as Error).message}; --help lists the options.`)
  }
}

/** What is left to a person. */
function nextSteps({ name, resource, contract }: Plan & { name: ServiceName }): string {
  const { port } = services[name]
  const consumed = [...eventCatalogue.values()].filter(({ consumers }) => consumers.includes(name))
  const waiting = consumed.map((event) => `\n     Its contract names it as a consumer: ${event.name}.`).join('')
  return `services/${name} is made; ${resource} is its example, for the first real resource to replace.

Next:
  1. packages/contracts/src/${contract}.ts: its calls and events, and who consumes them.
     What it consumes goes into a *.consumer.ts, and into consumers in src/service.ts; loops into workers there.${waiting}
  2. README.md, its line in the table of services:
     | ${name} | ${port} | http://127.0.0.1:${port}/swagger | what it does |
  3. services/${name}/src/app.ts: what it says of itself.
  4. After a change of a *.table.ts: bun run --cwd services/${name} migrations; of an event: bun run docs:events
  5. bun test --timeout=30000 services/${name}; bun run check; scripts/start --only ${name}
To take it away again: bun scripts/new-service.ts --remove ${name}`
}

/** Does what was asked for; what to say about it. */
function carryOut(request: Request): string {
  if (request.does === 'make') {
    makeService(root, request.plan, request.install)
    return nextSteps(request.plan)
  }
  removeService(root, request.name)
  documentEvents(root)
  if (request.install) run([process.execPath, 'install'], root)
  return `services/${request.name} is removed, with its contract and its lines in Procfile and .env.example.`
}

try {
  const request = readRequest()
  console.log(request ? carryOut(request) : help.trimEnd())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
