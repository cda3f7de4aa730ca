import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { services } from '@bursar/contracts/services'

const root = dirname(dirname(import.meta.dir))

/** Runs `bun run audit` on a folder of copies, where it has the core ledger's. Throws with what the audit said. */
export async function auditCopy(folder: string): Promise<void> {
  if (!existsSync(join(folder, `${services['core-ledger'].slug}.sqlite`))) return
  const audit = Bun.spawn([process.execPath, '--no-env-file', 'scripts/audit.ts', '--data-dir', folder], {
    cwd: root,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [said, complaints] = await Promise.all([new Response(audit.stdout).text(), new Response(audit.stderr).text()])
  if ((await audit.exited) !== 0) throw new Error(`The audit of the copy failed: ${(complaints || said).trim()}`)
}
