import { textIndex } from '@bursar/store'
import { searchTexts } from './search-texts.table'

/** By which texts customers are found. */
export const customerTexts = textIndex(searchTexts)
