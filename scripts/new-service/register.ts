import { type ServiceName, services } from '@bursar/contracts/services'

/** The Procfile with the service's line. */
export function withProcess(procfile: string, name: ServiceName): string {
  const line = `${name}: exec bun services/${name}/src/main.ts`
  const lines = procfile.split('\n').filter(Boolean)
  return `${(lines.includes(line) ? lines : [...lines, line]).join('\n')}\n`
}

/** `.env.example` with the service's port, among those of the others and in their order. */
export function withPort(example: string, name: ServiceName): string {
  const { slug, port } = services[name]
  const line = `# ${slug.toUpperCase()}_PORT=${port}`
  const lines = example.split('\n')
  if (lines.includes(line)) return example
  const ports = new Map(
    Object.values(services).map((each) => [`# ${each.slug.toUpperCase()}_PORT=${each.port}`, each.port]),
  )
  const known = [...lines.entries()].filter(([, each]) => ports.has(each))
  const [first] = known
  if (!first) throw new Error(`.env.example has no list of ports, and needs ${line}.`)
  const before = known.findLast(([, each]) => (ports.get(each) ?? 0) < port)
  return lines.toSpliced(before ? before[0] + 1 : first[0], 0, line).join('\n')
}
