// `bun run build`: the services as bundles, which scripts/start runs while the sources are what they were.
import { dirname } from 'node:path'
import { makeBundles } from './build/bundles'
import { makeExecutable } from './build/executable'
import { runCommand } from './stack/command'
import { parseProcfile } from './stack/procfile'

const help = `Usage: bun run build [services]
       bun run build --executable <file>

Makes one file of compiled code from each service (all of the Procfile, or those that are named), in .cache/build. It
takes about 1.3 s of processor time and 11 MB of disk for each. scripts/start runs them with NODE_ENV=production, its
default, unless services share a process: they start with 40 to 60 % of the processor time, by machine. After a change of
the sources, an upgrade for one, scripts/start runs the sources until the next \`bun run build\`.

  --executable <file>   makes one file of everything instead, for machines like this one: it needs neither Bun, Node nor
                        the sources there. <file> --help says what it does
  --help                this text
`

const root = dirname(import.meta.dir)

// What root builds is read by the user of the services, however narrow root's umask is.
process.umask(0o022)

const options = { executable: { type: 'string' } } as const

await runCommand({ name: 'build', help, options, takesWords: true }, async (values, services) => {
  if (values.executable !== undefined) {
    if (services.length > 0) throw new Error('The executable has all services: name none')
    const bytes = await makeExecutable(root, values.executable)
    return console.log(`${values.executable}: ${(bytes / 1e6).toFixed(1)} MB`)
  }
  const names = parseProcfile(await Bun.file(`${root}/Procfile`).text()).map(({ name }) => name)
  const unknown = services.find((name) => !names.includes(name))
  if (unknown) throw new Error(`There is no service ${unknown} in the Procfile; it has ${names.join(', ')}.`)
  const chosen = services.length > 0 ? services : names
  let count = 0
  await makeBundles(root, chosen, (service, bytes) => {
    count += 1
    console.log(`${count} of ${chosen.length}: ${service}, ${(bytes / 1e6).toFixed(1)} MB`)
  })
})
