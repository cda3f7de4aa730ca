import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'sqlite',
  casing: 'snake_case',
  schema: ['./packages/store/test/fixture/*.table.ts', './packages/store/src/schema/shared.table.ts'],
  out: './packages/store/test/migrations',
})
