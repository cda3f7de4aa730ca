import { serviceNames, services } from '@bursar/contracts/services'
import { markdownTable } from '../docs-events/markdown-table'
import { generatedPart, mark, ports, type Sources, settingTable } from './service-page'

/** A page of docs/services as it is and as it should be. */
export interface Page {
  path: string
  current: string
  expected: string
}

/** All pages. The written part of a page, before the mark, stays. */
export function servicePages(read: (path: string) => string | undefined, sources: Sources): Page[] {
  const pages = serviceNames.map((name) => {
    const path = `docs/services/${name}.md`
    const current = read(path) ?? ''
    const [written = ''] = (current || `# ${name}\n`).split(mark)
    return { path, current, expected: `${written.trimEnd()}\n\n${mark}\n\n${generatedPart(name, sources)}\n` }
  })
  const path = 'docs/services/README.md'
  return [{ path, current: read(path) ?? '', expected: indexPage(sources) }, ...pages]
}

const introduction = `# Services

One page for each service: what it does, its events and its settings. The routes with their fields are in each
service's own document (\`/swagger\`); what applies to all of them in [api.md](../api.md).`

/** Groups of settings that belong to no service alone. */
const shared = ['All services', 'scripts/start and scripts/test']

/** The page that leads to those of the services, with the settings that all of them have. */
function indexPage({ settings }: Pick<Sources, 'settings'>): string {
  const rows = serviceNames.map((name) => {
    const { slug, port } = services[name]
    return [`[${name}](${name}.md)`, String(port), slug]
  })
  const general = settings.filter(({ group, name }) => shared.includes(group) && !ports.has(name))
  return `${[
    introduction,
    markdownTable(['service', 'port', 'word in paths and settings'], rows),
    '## Settings of all services',
    'Settings come from the environment, or from a file `.env` beside the README. If unset, the default applies. Beside these,\n`<SLUG>_PORT` is the port of a service, and `<SLUG>_URL` says where it is when it runs on another machine, or on several:\nan address for each instance, with commas between them.',
    settingTable(general),
  ].join('\n\n')}\n`
}
