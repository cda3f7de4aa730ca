import { dirname, extname, join, resolve } from 'node:path'

/** Whether this is the executable of `bun run build --executable`, which needs neither Bun nor a checkout. */
export const isExecutable: boolean = Bun.isStandaloneExecutable

/** What comes with the project: .env.example, for one. In the executable it is part of that. */
export const root = dirname(dirname(import.meta.dir))

/** Where .env lies, and from where DATA_DIR and backups are named: the checkout; BURSAR_HOME or its own folder for the executable. */
export const home: string = isExecutable ? resolve(process.env.BURSAR_HOME || dirname(process.execPath)) : root

/** The command line of another command, for a process of its own: it lies beside the one that runs. */
const lineOf = (name: string): string[] =>
  isExecutable
    ? [process.execPath, name]
    : [process.execPath, '--no-env-file', join(dirname(Bun.main), name + extname(Bun.main))]

/** Runs another command of ours to its end; what it said. Throws what it complained of. */
export async function runOther(name: string, args: readonly string[], env = process.env): Promise<string> {
  const child = Bun.spawn([...lineOf(name), ...args], { cwd: home, env, stdout: 'pipe', stderr: 'pipe' })
  const [said, complained, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  if (code !== 0) throw new Error((complained || said).trim())
  return said
}

/** How a person calls a command here. */
export const spoken = (name: string): string => `${isExecutable ? 'bursar' : 'bun run'} ${name}`
