import { fileURLToPath } from 'node:url'
import { defineConfig } from 'drizzle-kit'
import { dialect } from './src/config'

/** Every service's settings for drizzle-kit: its own tables, and those that each service has. */
export default defineConfig({
  dialect,
  casing: 'snake_case',
  schema: ['./src/**/*.table.ts', fileURLToPath(new URL('./src/schema/shared.table.ts', import.meta.url))],
  out: `./migrations/${dialect === 'sqlite' ? 'sqlite' : 'postgres'}`,
})
