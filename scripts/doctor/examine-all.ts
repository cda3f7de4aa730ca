// What `bun run doctor` does and says.
import { messageOf } from '@bursar/contracts/log'
import { examineArchive } from './archive'
import { examineBackups, examineBegun } from './backups'
import { examineClock } from './clock'
import { examineDisk, examinePermissions } from './data-folder'
import { examineDatabase } from './database'
import type { Examination, Finding, Patient } from './finding'
import { examineKeys } from './keys'
import { examineMachine } from './machine'
import { examineMail } from './mail'
import { examineNodes } from './nodes'
import { examineRedis } from './redis'
import { examineServices } from './services'
import { examineSettings } from './settings'
import { examineSockets } from './sockets'

const examinations: [about: string, examine: Examination][] = [
  ['settings', examineSettings],
  ['permissions', examinePermissions],
  ['disk', examineDisk],
  ['restore', examineBegun],
  ['database', examineDatabase],
  ['archive', examineArchive],
  ['keys', examineKeys],
  ['backup', examineBackups],
  ['clock', examineClock],
  ['redis', examineRedis],
  ['nodes', examineNodes],
  ['mail', examineMail],
  ['machine', examineMachine],
  ['sockets', examineSockets],
  ['ports', examineServices],
]

/** All findings, in the order of the examinations; one that fails is a finding as well. */
export async function examineAll(patient: Patient): Promise<Finding[]> {
  const all = examinations.map(([about, examine]) =>
    examine(patient).catch((error: unknown): Finding[] => [{ verdict: 'wrong', about, says: messageOf(error) }]),
  )
  return (await Promise.all(all)).flat()
}

/** A line for each finding, quietly without what is fine, and how many there are. */
export function textOf(found: readonly Finding[], { isQuiet }: { isQuiet: boolean }): string {
  const count = (verdict: Finding['verdict']) => found.filter((finding) => finding.verdict === verdict).length
  const shown = found.filter(({ verdict }) => verdict !== 'ok' || !isQuiet)
  return `${shown.map(lineOf).join('')}${count('wrong')} wrong, ${count('warning')} warnings\n`
}

const lineOf = ({ verdict, about, says }: Finding): string => `${verdict.padEnd(8)} ${about.padEnd(12)} ${says}\n`
