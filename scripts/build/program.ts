// All services as one compiled program, for this checkout: it starts with a quarter of the processor time that the sources take,
// for Bun neither reads a thousand files nor compiles them, and processes that run it share its code in memory.
import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { syncNow } from '@bursar/store/on-disk'
import { compile } from './compile'
import { madeOf, placeOf, type Recipe } from './made-of'
import { inCheckout, type Place } from './placed'

const name = 'services'
const main = 'scripts/all.ts'
const pages = 'console'

/** Sources besides those of packages and services, and how it is made of them. */
const others = [
  main,
  'scripts/stack/service-modules.ts',
  ...['compile', 'made-of', 'placed', 'program'].map((step) => `scripts/build/${step}.ts`),
  'packages/console/index.html',
  'bun.lock',
]

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** What the services run, and the console's pages. */
function recipe(root: string): Recipe {
  const rooms = ['packages', 'services'].flatMap((room) =>
    readdirSync(join(root, room)).map((each) => `${room}/${each}/src`),
  )
  const files = rooms
    .filter((room) => existsSync(join(root, room)))
    .flatMap((room) => filesIn(join(root, room)))
    .map((path) => relative(root, path))
    .filter((path) => !path.includes('.test.'))
  return { root, what: 'build', sources: [...files, ...others].filter((path) => existsSync(join(root, path))).sort() }
}

/** It has the console beside it, built and compressed. */
const beside = (made: string): Place => ({
  ...inCheckout,
  resolved: (specifier, folder) =>
    specifier.includes('@bursar/console/')
      ? JSON.stringify(Bun.pathToFileURL(join(made, pages, 'package.json')).href)
      : inCheckout.resolved(specifier, folder),
})

/** The path in the checkout of the program of the sources as they are now; null when there is none. It runs the services that it is told. */
export function programOf(root: string): string | null {
  if (!existsSync(join(root, '.cache/build'))) return null
  const path = join(placeOf(recipe(root)), name)
  return existsSync(path) ? relative(root, path) : null
}

/** Makes the program, unless it is there. Answers its path. */
export async function makeProgram(root: string): Promise<string> {
  const made = await madeOf(recipe(root), async (folder, made) => {
    await compile(root, join(folder, name), { main, place: beside(made) })
    // Loaded only here: whoever looks for the program needs no builder.
    const { writeBuilt } = await import('../../services/gateway/src/console/files/whole-build')
    await writeBuilt(join(folder, pages))
    // A cut of the power would leave its place to a part of it.
    for (const file of filesIn(folder)) syncNow(file)
  })
  return join(made, name)
}
