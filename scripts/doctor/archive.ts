import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isUsableFolder, tryWriting } from './data-folder'
import { type Examination, findingsAbout } from './finding'

const { ok, wrong } = findingsAbout('archive')

/** Services, their tables, and months. */
const depth = 3

/** Whether old rows can go to the archive: what cannot be archived stays in the databases, which grow. */
export const examineArchive: Examination = async ({ home, env, dataDir }) => {
  if (env.ARCHIVE_DIR === 'none') return [ok('none is kept: old rows are deleted without')]
  const archive = env.ARCHIVE_DIR ? resolve(home, env.ARCHIVE_DIR) : join(dataDir, 'archive')
  const isThere = existsSync(archive)
  const found = isThere ? foldersIn(archive, depth) : [nearest(archive)]
  const [unusable] = found.filter((folder) => !isUsableFolder(folder))
  if (unusable) {
    // It is made with the data folder, by the first start.
    if (!isThere && !existsSync(dataDir) && archive.startsWith(dataDir)) return []
    return [
      wrong(
        `old rows cannot go to ${unusable}: make it a folder that the user who runs the services may read and write`,
      ),
    ]
  }
  const failure = isThere ? tryWriting(archive) : null
  if (failure) return [wrong(`${archive} cannot be written (${failure}): free some space, or move ARCHIVE_DIR`)]
  return isThere ? [ok(`old rows can go to ${archive}`)] : []
}

const nearest = (path: string): string => (existsSync(path) ? path : nearest(dirname(path)))

/** The folder, and what stands in it where a folder should be. */
function foldersIn(path: string, levels: number): string[] {
  if (levels === 0 || !isUsableFolder(path)) return [path]
  return [path, ...readdirSync(path).flatMap((name) => foldersIn(join(path, name), levels - 1))]
}
