import { dirname, join, resolve } from 'node:path'

/** Whether this is the executable of `bun run build --executable`, which needs neither Bun nor a checkout. */
export const isExecutable: boolean = Bun.isStandaloneExecutable

/** What comes with the project: .env.example, for one. In the executable it is part of that. */
export const root = dirname(dirname(import.meta.dir))

/** Where .env lies, and from where DATA_DIR and backups are named: the checkout; BURSAR_HOME or its own folder for the executable. */
export const home: string = isExecutable ? resolve(process.env.BURSAR_HOME || dirname(process.execPath)) : root

/** The command line of `bun run <name>`, for a process of its own. */
export const commandOf = (name: string): string[] =>
  isExecutable ? [process.execPath, name] : [process.execPath, '--no-env-file', join(root, 'scripts', `${name}.ts`)]

/** How a person calls a command here. */
export const spoken = (name: string): string => `${isExecutable ? 'bursar' : 'bun run'} ${name}`
