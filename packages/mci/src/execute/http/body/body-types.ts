// Written by `npm run generate`: what the files of this folder export.
import { file } from "./file.ts";
import { form } from "./form.ts";
import { json } from "./json.ts";
import { multipart } from "./multipart.ts";
import { raw } from "./raw.ts";

export const BODY_TYPES = {
  file,
  form,
  json,
  multipart,
  raw,
};
