import { type ServiceName, services } from '@bursar/contracts/services'

const processLine = (name: ServiceName): string => `${name}: exec bun services/${name}/src/main.ts`
const portLine = ({ slug, port }: { slug: string; port: number }): string => `# ${slug.toUpperCase()}_PORT=${port}`
const importLine = (contract: string): string => `import './${contract}'`

/** The Procfile with the service's line. */
export function withProcess(procfile: string, name: ServiceName): string {
  const lines = procfile.split('\n').filter(Boolean)
  const line = processLine(name)
  return `${(lines.includes(line) ? lines : [...lines, line]).join('\n')}\n`
}

export const withoutProcess = (procfile: string, name: ServiceName): string => withoutLine(procfile, processLine(name))

/** `.env.example` with the service's port, among those of the others and in their order. */
export function withPort(example: string, name: ServiceName): string {
  const { port } = services[name]
  const line = portLine(services[name])
  const lines = example.split('\n')
  if (lines.includes(line)) return example
  const ports = new Map(Object.values(services).map((each) => [portLine(each), each.port]))
  const known = [...lines.entries()].filter(([, each]) => ports.has(each))
  const [first] = known
  if (!first) throw new Error(`.env.example has no list of ports, and needs ${line}.`)
  const before = known.findLast(([, each]) => (ports.get(each) ?? 0) < port)
  return lines.toSpliced(before ? before[0] + 1 : first[0], 0, line).join('\n')
}

export const withoutPort = (example: string, name: ServiceName): string =>
  withoutLine(example, portLine(services[name]))

/** The catalogue of events with a contract's import, in the order of the alphabet. */
export function withContractImport(events: string, contract: string): string {
  const line = importLine(contract)
  const lines = events.split('\n')
  if (lines.includes(line)) return events
  const imports = [...lines.entries()].filter(([, each]) => each.startsWith("import './"))
  const [first] = imports
  if (!first) throw new Error(`packages/contracts/src/events.ts has no imports, and needs ${line}.`)
  const before = imports.findLast(([, each]) => each < line)
  return lines.toSpliced(before ? before[0] + 1 : first[0], 0, line).join('\n')
}

export const withoutContractImport = (events: string, contract: string): string =>
  withoutLine(events, importLine(contract))

const withoutLine = (text: string, line: string): string =>
  text
    .split('\n')
    .filter((each) => each !== line)
    .join('\n')
