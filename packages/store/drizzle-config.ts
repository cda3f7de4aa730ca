import { fileURLToPath } from 'node:url'
import { defineConfig } from 'drizzle-kit'
import { dialect } from './src/config'

/** The drizzle-kit settings of every service: its own tables, and the shared ones. */
export default defineConfig({
  dialect,
  casing: 'snake_case',
  schema: ['./src/**/*.table.ts', fileURLToPath(new URL('./src/schema/shared.table.ts', import.meta.url))],
  out: `./migrations/${dialect === 'sqlite' ? 'sqlite' : 'postgres'}`,
})
