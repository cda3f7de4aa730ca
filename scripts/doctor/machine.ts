import { readFileSync } from 'node:fs'
import manifest from '../../package.json'
import { isExecutable } from '../stack/installation'
import { type Examination, type Finding, findingsAbout } from './finding'

const { warning } = findingsAbout('machine')

/** Each connection and each file takes one; a busy gateway holds thousands of connections. */
const leastFiles = 4096

/** The release of Bun, and how many files a process may open. */
export const examineMachine: Examination = async () => [
  ...bunFinding({ runs: Bun.version, pinned: manifest.devDependencies.bun, isExecutable }),
  ...filesFinding(limitsOfThisProcess()),
]

/** Behaviour of other releases is not tested. */
export function bunFinding(about: { runs: string; pinned: string; isExecutable: boolean }): Finding[] {
  const { runs, pinned } = about
  if (about.isExecutable || runs === pinned) return []
  return [
    warning(`this is Bun ${runs}, and the project is tested with ${pinned}: scripts/start puts it into .cache/bin`),
  ]
}

/** By the text of /proc/self/limits; Bun itself raises the soft limit to the hard one. */
export function filesFinding(limits: string | null): Finding[] {
  const hard = Number(/^Max open files\s+\S+\s+(\d+)/m.exec(limits ?? '')?.[1] ?? Number.POSITIVE_INFINITY)
  if (hard >= leastFiles) return []
  return [warning(`a process may open ${hard} files: raise it to ${leastFiles} or more (ulimit -Hn, LimitNOFILE=)`)]
}

/** Null where the system has no such file. */
function limitsOfThisProcess(): string | null {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return null
  }
}
