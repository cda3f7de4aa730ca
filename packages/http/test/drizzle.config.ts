import { defineConfig } from 'drizzle-kit'

/** `bunx drizzle-kit generate --config packages/http/test/drizzle.config.ts` makes the migrations of the tests here. */
export default defineConfig({
  dialect: 'sqlite',
  casing: 'snake_case',
  schema: ['./packages/http/test/copies.table.ts', './packages/store/src/schema/shared.table.ts'],
  out: './packages/http/test/migrations',
})
