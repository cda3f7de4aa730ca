import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '@bursar/contracts/log'
import { services } from '@bursar/contracts/services'
import { runOther } from '../stack/installation'

/** Runs `bun run audit` on a folder of copies, where it has the core ledger's. Throws with what the audit said. */
export async function auditCopy(folder: string): Promise<void> {
  if (!existsSync(join(folder, `${services['core-ledger'].slug}.sqlite`))) return
  await runOther('audit', ['--data-dir', folder]).catch((error: unknown) => {
    throw new Error(`The audit of the copy failed: ${messageOf(error)}`)
  })
}
