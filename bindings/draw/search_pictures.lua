-- search_pictures: the method that draws what a search found, in a file of its own: nothing else
-- loads searches.
local caller_error = require "orrery.support.caller_error"
local outcome = require "orrery.search.outcome"
local pictures = require "orrery.draw.pictures"

outcome.class.report = function(...)
  return caller_error.checked(pictures.search_report.write, ...)
end

return outcome
