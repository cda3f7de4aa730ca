import { runMain } from '@bursar/http'
import { config } from './config'
import { start } from './service'

runMain(() => start(config()))
