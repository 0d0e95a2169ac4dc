// Written by `npm run generate`: what the files of this folder export.
import { apiKey } from "./api-key.ts";
import { basic } from "./basic.ts";
import { bearer } from "./bearer.ts";
import { oauth2 } from "./oauth2.ts";
import { tokenExchange } from "./token-exchange.ts";

export const AUTH_TYPES = {
  apiKey,
  basic,
  bearer,
  oauth2,
  tokenExchange,
};
