export { default } from '@bursar/store/drizzle-config'
