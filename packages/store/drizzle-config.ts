import { fileURLToPath } from 'node:url'
import { defineConfig } from 'drizzle-kit'

/** Every service's settings for drizzle-kit: its own tables, and those that each service has. */
export default defineConfig({
  dialect: 'sqlite',
  casing: 'snake_case',
  schema: ['./src/**/*.table.ts', fileURLToPath(new URL('./src/schema/shared.table.ts', import.meta.url))],
  out: './migrations/sqlite',
})
