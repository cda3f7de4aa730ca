// `bun run build`: the services as one compiled program, which scripts/start runs while the sources are what they were.
import { statSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { makeExecutable } from './build/executable'
import { makeProgram } from './build/program'
import { runCommand } from './stack/command'

const help = `Usage: bun run build [--executable <file>]

Makes one compiled program of all services, in .cache/build. It takes about 10 s of processor time and 170 MB of disk.
scripts/start runs it with NODE_ENV=production, its default: the services start with a quarter of the processor time, and
processes share its code in memory. After a change of the sources, an upgrade for one, scripts/start runs the sources until
the next \`bun run build\`.

  --executable <file>   makes one file of everything instead, for machines like this one: it needs neither Bun, Node nor
                        the sources there. <file> --help says what it does
  --help                this text
`

const root = dirname(import.meta.dir)

// What root builds is read by the user of the services, however narrow root's umask is.
process.umask(0o022)

const options = { executable: { type: 'string' } } as const

await runCommand({ name: 'build', help, options }, async ({ executable }) => {
  const made = executable === undefined ? await makeProgram(root) : await makeExecutable(root, executable)
  console.log(`${executable ?? relative(root, made)}: ${(statSync(made).size / 1e6).toFixed(1)} MB`)
})
