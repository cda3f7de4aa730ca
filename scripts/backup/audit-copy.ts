import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { services } from '@bursar/contracts/services'
import { commandOf, home } from '../stack/installation'

/** Runs `bun run audit` on a folder of copies, where it has the core ledger's. Throws with what the audit said. */
export async function auditCopy(folder: string): Promise<void> {
  if (!existsSync(join(folder, `${services['core-ledger'].slug}.sqlite`))) return
  const audit = Bun.spawn([...commandOf('audit'), '--data-dir', folder], {
    cwd: home,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [said, complaints] = await Promise.all([new Response(audit.stdout).text(), new Response(audit.stderr).text()])
  if ((await audit.exited) !== 0) throw new Error(`The audit of the copy failed: ${(complaints || said).trim()}`)
}
