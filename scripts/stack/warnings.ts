import { statSync } from 'node:fs'
import { join } from 'node:path'
import { isOpenToOthers } from '@bursar/http'
import { isSecretSetting } from '@bursar/http/environment'
import { root } from './installation'
import { oddLines, type SettingsFile } from './settings-lines'

/** One that is not there, or not to be read by this user, has no text. */
const textOf = (file: string): Promise<string> =>
  Bun.file(file)
    .text()
    .catch(() => '')

/** The settings files of a folder. */
const filesIn = (folder: string): Promise<SettingsFile[]> =>
  Promise.all(
    ['.env', '.env.production', '.env.local'].map(async (name) => ({ name, text: await textOf(join(folder, name)) })),
  )

/** The file that the units of deploy/systemd read. */
const fileOfUnits = '/etc/bursar/bursar.env'

/** What the settings files of a folder, and that of the units, have that is not read, or not read as it looks, in sentences. */
export async function settingsFilesIn(folder: string, ofUnits = fileOfUnits): Promise<string[]> {
  const files = await filesIn(folder)
  const known = knownSettings(await Bun.file(join(root, '.env.example')).text())
  const all = [...files, { name: ofUnits, text: await textOf(ofUnits) }]
  // systemd reads values in another way than Bun.
  return [...unknownSettings(all, known), ...oddLines(files, process.env)]
}

/** Those that have secrets, and that other users may read, in sentences. */
export async function openFilesIn(folder: string): Promise<string[]> {
  const files = (await filesIn(folder)).filter(({ text }) => namesIn(text).some(isSecretSetting))
  const open = files.filter(({ name }) => isOpenToOthers(statSync(join(folder, name))))
  return open.map(({ name }) => `${join(folder, name)} has secrets, and is open to other users: chmod 600 it`)
}

/**
 * The names that `.env.example` lists, `<SLUG>_URL` for each `<SLUG>_PORT`, and `<NAME>_FILE` for each secret: all are
 * read.
 */
export function knownSettings(example: string): Set<string> {
  const listed = [...example.matchAll(/^# ?([A-Z]\w*)=/gm)].map(([, name = '']) => name)
  const urls = listed.filter((name) => name.endsWith('_PORT')).map((name) => name.replace(/_PORT$/, '_URL'))
  const files = listed.filter(isSecretSetting).map((name) => `${name}_FILE`)
  return new Set([...listed, ...urls, ...files, 'NODE_ENV', 'NO_COLOR'])
}

/** No settings of ours, and read by Bun itself. */
const ofBun = new Set(['NODE_EXTRA_CA_CERTS', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'TZ'])

/** One sentence for each unknown name in these files, with the most similar setting. */
export function unknownSettings(files: readonly SettingsFile[], known: ReadonlySet<string>): string[] {
  return files.flatMap(({ name: file, text }) =>
    namesIn(text)
      .filter((name) => !known.has(name) && !ofBun.has(name))
      .map((name) => {
        const near = nearest(name, known)
        return `${file} sets ${name}, which is no setting and changes nothing${near ? `: is ${near} meant?` : '.'}`
      }),
  )
}

const namesIn = (text: string): string[] =>
  [...text.matchAll(/^\s*(?:export\s+)?([A-Za-z_]\w*)(?:\s*=|:(?=\s))/gm)].map(([, name = '']) => name)

/** The name with the smallest distance, if that is small enough for a typo. */
function nearest(name: string, known: ReadonlySet<string>): string | null {
  const upper = name.toUpperCase()
  const [best] = [...known]
    .map((candidate) => ({ candidate, changes: changesBetween(upper, candidate) }))
    .sort((a, b) => a.changes - b.changes)
  return best && best.changes <= Math.max(2, name.length / 3) ? best.candidate : null
}

/** The Levenshtein distance. */
function changesBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|::1)$/

/** The warning for services that others can reach and that trust every caller; null for any other. */
export function openDoorWarning(env: NodeJS.ProcessEnv): string | null {
  const host = env.HOST || '127.0.0.1'
  if (loopback.test(host) || env.INTERNAL_AUTH === 'required') return null
  return `WARNING: HOST is ${host}, and the services trust their callers: whoever reaches this machine can approve
WARNING: withdrawals and read everything. Set INTERNAL_AUTH=required, or leave HOST at 127.0.0.1 and open the gateway
WARNING: alone to others.`
}
