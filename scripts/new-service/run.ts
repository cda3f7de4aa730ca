import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Runs a program to its end. Throws its output when it fails, or when the file that it is to make is missing. */
export function run(command: string[], cwd: string, makes = '.'): void {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  if (exitCode === 0 && existsSync(join(cwd, makes))) return
  throw new Error(`${command.join(' ')} failed, and nothing was changed:\n${stderr}${stdout}`)
}
